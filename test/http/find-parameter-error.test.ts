import { findFormError, findParameterError } from "../../src/http/find-parameter-error.ts";

test.each(["", "a", "a=1&b=2", "state=100%25", "name=%C3%A9+x", "&&", "a=b=c", "a&".repeat(99)])(
  "%j is accepted",
  (text) => {
    expect(findParameterError(text)).toBeUndefined();
    expect(findFormError(Buffer.from(text))).toBeUndefined();
  },
);

test.each([
  ["a&".repeat(100), "must not have more than 100 parameters"],
  ["state=%00", "state: must not contain NUL"],
  ["a=1&state=x%00y&b", "state: must not contain NUL"],
  ["%00=x", "must not contain NUL"],
  ["state=%", "state: must be percent-encoded UTF-8"],
  ["state=%4", "state: must be percent-encoded UTF-8"],
  ["state=%zz", "state: must be percent-encoded UTF-8"],
  ["state=%ff", "state: must be percent-encoded UTF-8"],
  ["state=%ED%A0%80", "state: must be percent-encoded UTF-8"],
  ["%ff=x", "must be percent-encoded UTF-8"],
  ["state=%ff&nonce=%00", "state: must be percent-encoded UTF-8; nonce: must not contain NUL"],
])("%j is rejected", (text, message) => {
  expect(findParameterError(text)).toMatchObject({ reason: "INVALID_ARGUMENT", message });
  expect(findFormError(Buffer.from(text))).toMatchObject({ reason: "INVALID_ARGUMENT", message });
});

test("a form that is not UTF-8, or that contains NUL, is rejected", () => {
  expect(findFormError(Buffer.from("name=é", "latin1"))?.message).toBe("must be percent-encoded UTF-8");
  expect(findFormError(Buffer.from("name=a\0"))?.message).toBe("name: must not contain NUL");
});
