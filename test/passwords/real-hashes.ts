import { pbkdf2Sync, scryptSync } from "node:crypto";
import { hashSync } from "bcryptjs";

/** Hashes of "correct horse", or of the password in parentheses, each written by the named software. */
export const REAL_HASHES = {
  "bcrypt of OpenBSD's format, cost 4 (libxcrypt)": "$2a$04$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW",
  "bcrypt of PHP (libxcrypt)": "$2y$04$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW",
  "bcrypt (bcryptjs)": hashSync("correct horse", 4),
  "argon2id (reference implementation)":
    "$argon2id$v=19$m=1024,t=2,p=2$c29tZXNhbHQwMTIzNDU2/w$maZdmwIUgTYBnCEBqUxKzqa6SC3styEgxWH95xFV4wE",
  "argon2i (reference implementation)":
    "$argon2i$v=19$m=1024,t=2,p=2$c29tZXNhbHQwMTIzNDU2/w$3P+fM3dyx5HtLaW0uAvPX9c3akKldJNi0bp3LB2Mbx0",
  "argon2d (reference implementation)":
    "$argon2d$v=19$m=1024,t=2,p=2$c29tZXNhbHQwMTIzNDU2/w$o6BbmVJRWBbmGBY733udK0vGOtjNZlE4SLeAncid8QA",
  "argon2i, version 16": "$argon2i$v=16$m=1024,t=2,p=2$c29tZXNhbHQ$Yyub5qR54UIPLBXYoJSy4Q",
  "argon2id of the reference implementation's tests (password)":
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
  "argon2i without a version, of the same (password)":
    "$argon2i$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ",
  "scrypt (passlib)": "$scrypt$ln=10,r=8,p=1$++++MDEyMzQ1Njc4OWFiYw$GWOPFWC5jZbBAlVYoq6gpEuui5v2YD+sho8eVBn1Y0M",
  "scrypt (Node)": `$scrypt$ln=10,r=8,p=2$${base64("0123456789")}$${base64(scryptSync("correct horse", "0123456789", 64, { N: 1024, p: 2 }))}`,
  "$7$ (libxcrypt)": "$7$CU..../..........................$vuTDUGsz/kEsUHiSbsogBgapcMB8mQCvk4vBAYzIG0C",
  "$7$ of the format's own description (pleaseletmein)":
    "$7$C6..../....SodiumChloride$kBGj9fHznVYFQMEn/qDCfrDevf9YDtcDdKvEqHJLV8D",
  "PBKDF2 of SHA-1 (passlib)": "$pbkdf2$1000$....MDEyMzQ1Njc4OWFiYw$JlsUpYCe65bAu5sLF/ybj0GIxTk",
  "PBKDF2 of SHA-256 (passlib)":
    "$pbkdf2-sha256$1000$....MDEyMzQ1Njc4OWFiYw$NZfc2L7sE5ZosGynQSLWqB7J5NWdZJ6T/jlJu00Y07w",
  "PBKDF2 of SHA-512 (passlib)":
    "$pbkdf2-sha512$1000$....MDEyMzQ1Njc4OWFiYw$NZJn50BlwVXZ/bsnaVlRFbpmn9ZtUi.ur270oRMAYbBfqmwwmhEtjk3fc8WLhpfsvQkZD03mREBiTRMmi6tG5g",
  "PBKDF2 of SHA-1, named (Node)": `$pbkdf2-sha1$1000$${base64("salt")}$${pbkdf2("sha1", 20)}`,
  "PBKDF2 of SHA-224 (Node)": `$pbkdf2-sha224$1000$${base64("salt")}$${pbkdf2("sha224", 28)}`,
  "PBKDF2 of SHA-384 (Node)": `$pbkdf2-sha384$1000$${base64("salt")}$${pbkdf2("sha384", 48)}`,
  "PBKDF2 in PHC form (Node)": `$pbkdf2-sha256$i=600000,l=32$${base64("salt")}$${pbkdf2("sha256", 32)}`,
  "PBKDF2 in PHC form without a length (Node)": `$pbkdf2-sha512$i=25000$${base64("salt")}$${pbkdf2("sha512", 64)}`,
  "SHA-256-crypt (openssl)": "$5$saltstring$vc6YOOogU4kWVvwga8e9zTFgKcy4tb5LaPxIiPJzqEC",
  "SHA-256-crypt, fewest rounds (libxcrypt)": "$5$rounds=1000$salt$qOfjCda6YN/JiGzcA4MkoJaIXdhJzf.qd.KJPQZ7TA/",
  "SHA-512-crypt, longest salt (libxcrypt)":
    "$6$rounds=10000$saltsaltsaltsalt$YymDQcDiPAPffG37wC0ejpCZb/xQsJhGY1cHJm2zkZSqidwOudukvGlotbMGQxkhtPRs0ZAbTYxJp96xB5KQ91",
  "SHA-512-crypt, shortest salt (passlib)":
    "$6$rounds=656000$a$r4gmhlcx/5dpjVL93c6J6cvbkLxL.BMAe0T5zYRc21ePP1HxqCW1uCrJ6q7SWfVCDwKMLLKlpcIVwFeO0QSCy1",
  "MD5-crypt (openssl)": "$1$abcdefgh$y6iHhJNbuC0xpbk0w9pm80",
  "MD5-crypt, shortest salt (libxcrypt)": "$1$a$6B22QzZd2o90NQAIVNfPu/",
  "MD5-crypt of Apache (openssl)": "$apr1$abcdefgh$sIQmFnT1CuEXAsyjuXjUX/",
  "phpass (passlib)": "$P$5abcdefghAwHMLXeh48xCQuy..94JO/",
  "phpass of phpBB (passlib)": "$H$6abcdefghRJFCMvnAbZH2hCiFPRxpk.",
  "phpass of its own tests (test12345)": "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0",
} as const;

/** Base64 without padding. */
export function base64(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replaceAll("=", "");
}

function pbkdf2(digest: string, bytes: number): string {
  return base64(pbkdf2Sync("correct horse", "salt", 1000, bytes, digest));
}
