import { md5Crypt } from "../../../src/passwords/schemes/md5-crypt.ts";
import { expectEndings, testBounds } from "./expectations.ts";

test.each(["1", "apr1"])("a hash with $%s$ is parsed into variant, salt and hash", (variant) => {
  expect(md5Crypt.parse(`$${variant}$abcdefgh$y6iHhJNbuC0xpbk0w9pm80`)).toEqual({
    ok: true,
    hash: { scheme: "MD5-crypt", variant, salt: "abcdefgh", hash: "y6iHhJNbuC0xpbk0w9pm80" },
  });
});

const withSalt = (length: number) => `$1$${"s".repeat(length)}$${".".repeat(22)}`;

testBounds([["the longest salt", withSalt(8), withSalt(9), /up to 8/]]);

test("the last character of a hash has no bits beyond the last byte", () => {
  expectEndings(`$1$salt$${"a".repeat(21)}`, "./01");
});
