import { describeScopeProblem, splitScopes, uniqueScopes } from "../../src/fields/scopes.ts";

test("every character of RFC 6749, section 3.3, is accepted, and no other", () => {
  const allowed = (code: number) => code === 0x21 || (code >= 0x23 && code <= 0x5b) || (code >= 0x5d && code <= 0x7e);
  const wrong: number[] = [];
  for (let code = 0; code <= 0xffff; code++) {
    const isAccepted = describeScopeProblem(`a${String.fromCharCode(code)}b`) === undefined;
    if (isAccepted !== allowed(code)) wrong.push(code);
  }
  expect(wrong).toEqual([]);
});

test("a URL is a scope", () => {
  expect(describeScopeProblem("https://www.googleapis.com/auth/userinfo.email")).toBeUndefined();
});

test("an empty scope is rejected", () => {
  expect(describeScopeProblem("")).toBe("must not be empty");
});

test("a scope has at most 500 characters", () => {
  expect(describeScopeProblem("x".repeat(500))).toBeUndefined();
  expect(describeScopeProblem("x".repeat(501))).toBe("must have at most 500 characters per scope, has 501");
});

test("scopes are split at spaces, and nowhere else", () => {
  expect(splitScopes("openid")).toEqual(["openid"]);
  expect(splitScopes(" openid  email ")).toEqual(["openid", "email"]);
  expect(splitScopes("openid\temail,profile")).toEqual(["openid\temail,profile"]);
  expect(splitScopes("")).toEqual([""]);
  expect(splitScopes("  ")).toEqual([""]);
});

test("a line break at the end is rejected", () => {
  expect(describeScopeProblem("openid\n")).toMatch(/printable ASCII/);
});

test("scopes are case-sensitive, and the first of each is kept in order", () => {
  expect(uniqueScopes(["openid", "email", "openid", "Email", "email"])).toEqual(["openid", "email", "Email"]);
  expect(uniqueScopes([])).toEqual([]);
});
