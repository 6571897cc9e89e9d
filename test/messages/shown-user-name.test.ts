import { toShownUserName } from "../../src/messages/templates/shown-names.ts";

const RECIPIENT = "ada@example.com";

test.each(["ada", "ada-lovelace_2", "Ada Lovelace", "Ренэ", "ada@example.com", "ADA@example.com", "user-123456"])(
  "an email shows the user name %s",
  (userName) => {
    expect(toShownUserName(userName, RECIPIENT)).toBe(userName);
  },
);

test.each([
  "",
  "eve@evil.example",
  "evil.example",
  "https://evil.example",
  "www.evil.example/a@example.com",
  "call 0791234567",
  "0791234567",
  "a\u202eb",
  "x".repeat(61),
])("an email does not show the user name %j", (userName) => {
  expect(toShownUserName(userName, RECIPIENT)).toBeUndefined();
});
