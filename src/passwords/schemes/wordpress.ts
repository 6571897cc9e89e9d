import { createHmac } from "node:crypto";
import { type BcryptHash, bcrypt } from "./bcrypt.ts";
import { incomplete, type Scheme } from "./scheme.ts";

interface WordPressHash {
  readonly scheme: "WordPress";
  readonly bcrypt: BcryptHash;
}

/** WordPress 6.8 and later: bcrypt of an HMAC of the password, so all bytes of the password count. */
export const wordPress: Scheme<WordPressHash> = {
  name: "WordPress",
  parse(value) {
    const text = value.slice("$wp".length);
    if (!text.startsWith("$2y$")) {
      return incomplete("WordPress", "$wp$2y$<cost>$<22 characters of salt><31 characters of hash>");
    }
    const parsed = bcrypt.parse(text);
    return parsed.ok ? { ok: true, hash: { scheme: "WordPress", bcrypt: parsed.hash } } : parsed;
  },
  // Like `wp_check_password`, this does not trim the password, although `wp_hash_password` does.
  verify: ({ bcrypt: hash }, password) =>
    bcrypt.verify(hash, createHmac("sha384", "wp-sha384").update(password).digest("base64")),
};
