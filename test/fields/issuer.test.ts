import { expect, test } from "@jest/globals";
import { describeIssuerProblem } from "../../src/fields/issuer.ts";

test.each([
  "https://accounts.google.com",
  "https://login.example.com/",
  "https://login.example.com/realms/a%20b/v2.0",
  "https://login.example.com:8443/t/@me",
  "https://192.0.2.1",
  "https://[2001:db8::1]:8443",
  "https://idp",
  "HTTPS://Login.Example.com",
  "http://localhost:8080/realms/x",
  "http://LOCALHOST",
  "http://127.0.0.1",
  "http://127.255.0.9:5556/dex",
  "http://[::1]:5556",
])("%s is accepted", (value) => {
  expect(describeIssuerProblem(value)).toBeUndefined();
});

test.each([
  ["a query", "https://idp.example.com/?a=b", /query or fragment/],
  ["an empty query", "https://idp.example.com?", /query or fragment/],
  ["a fragment", "https://idp.example.com/#a", /query or fragment/],
  ["an empty fragment", "https://idp.example.com#", /query or fragment/],
  ["a user", "https://jane@idp.example.com", /user name or password/],
  ["a user and password", "https://jane:pw@idp.example.com", /user name or password/],
  ["an empty user", "https://@idp.example.com", /user name or password/],
  ["no scheme", "idp.example.com", /absolute https URL/],
  ["no slashes", "https:idp.example.com", /absolute https URL/],
  ["one slash", "https:/idp.example.com", /absolute https URL/],
  ["three slashes", "https:///idp.example.com", /absolute https URL/],
  ["no host", "https://", /absolute https URL/],
  ["another scheme", "ftp://idp.example.com", /absolute https URL/],
  ["script", "javascript:alert(1)", /absolute https URL/],
  ["nothing", "", /absolute https URL/],
  ["a leading space", " https://idp.example.com", /absolute https URL/],
  ["a trailing line break", "https://idp.example.com\n", /absolute https URL/],
  ["a tab within", "https://idp.exa\tmple.com", /absolute https URL/],
  ["a space in the path", "https://idp.example.com/a b", /absolute https URL/],
  ["a backslash", "https://idp.example.com\\a", /absolute https URL/],
  ["a NUL", "https://idp.example.com/\0", /absolute https URL/],
  ["a letter beyond ASCII", "https://idp.müller.de", /absolute https URL/],
  ["a lone surrogate", "https://idp.example.com/\ud800", /absolute https URL/],
  ["a broken escape", "https://idp.example.com/%zz", /absolute https URL/],
  ["an escape in the host", "https://idp%2eexample.com", /absolute https URL/],
  ["an empty label", "https://idp..example.com", /absolute https URL/],
  ["an empty port", "https://idp.example.com:", /absolute https URL/],
  ["port 0", "https://idp.example.com:0", /valid host and port/],
  ["a port too large", "https://idp.example.com:65536", /valid host and port/],
  ["an IPv4 address out of range", "https://192.0.2.256", /valid host and port/],
  ["an IPv4 address in hexadecimal", "https://0x7f.0.0.1", /valid host and port/],
  ["an IPv4 address in two parts", "http://127.1", /valid host and port/],
  ["a broken IPv6 address", "https://[1:2]", /valid host and port/],
  ["http elsewhere", "http://idp.example.com", /https URL; http/],
  ["http to a private network", "http://192.168.0.1", /https URL; http/],
  ["http to a name that begins like loopback", "http://127.0.0.1.example.com", /https URL; http/],
  ["http to a name under localhost's", "http://localhost.example.com", /https URL; http/],
  ["http to another IPv6 address", "http://[::2]", /https URL; http/],
])("%s is refused", (_what, value, description) => {
  expect(describeIssuerProblem(value)).toMatch(description);
});
