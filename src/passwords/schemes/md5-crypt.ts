import { incomplete, type Scheme } from "./scheme.ts";

export interface Md5CryptHash {
  readonly scheme: "MD5-crypt";
  readonly variant: "1" | "apr1";
  /** The text itself. */
  readonly salt: string;
  /** In the alphabet of crypt(3), in the scheme's order of bytes. */
  readonly hash: string;
}

/** FreeBSD's `$1$` and Apache's `$apr1$`, which always have 1,000 rounds. */
export const md5Crypt: Scheme<Md5CryptHash> = {
  name: "MD5-crypt",
  identifiers: ["1", "apr1"],
  parse(value) {
    const { variant, salt = "", hash = "" } = FORM.exec(value)?.groups ?? {};
    if (variant !== "1" && variant !== "apr1") {
      return incomplete("MD5-crypt", "$1$<up to 8 characters of salt>$<22 characters of hash>");
    }
    return { ok: true, hash: { scheme: "MD5-crypt", variant, salt, hash } };
  },
};

const FORM = /^\$(?<variant>1|apr1)\$(?<salt>[./0-9A-Za-z]{1,8})\$(?<hash>[./0-9A-Za-z]{21}[./01])$/;
