import { decodeHex, encodeText } from "../../fields/bytes.ts";
import { pbkdf2Hash, saltedDigestHash } from "../../passwords/write-hash.ts";
import { noPassword, notSupported, toPasswordHash } from "./password-hash.ts";

/**
 * A hash with Logto's method `Legacy`, converted to a form that Signet accepts: JSON such as
 * `["sha256", ["salt", "@"], "<hash in hex>"]`, in which `@` stands for the password.
 *
 * @param lost Gets the reason if there is none.
 */
export function readLegacyHash(text: string, lost: string[]): string | undefined {
  const refuse = (reason: string) => noPassword(lost, reason);
  const { name, parts, hash } = parseLegacy(text) ?? {};
  if (name === undefined || parts === undefined || !hash?.length)
    return refuse("not a complete hash of Logto's Legacy");
  if (name === "pbkdf2") {
    const [salt = "", iterations = "", , digest = ""] = parts;
    if (salt === "" || !/^\d{1,9}$/.test(iterations)) return refuse("not a complete hash of Logto's Legacy");
    return toPasswordHash(pbkdf2Hash(digest, Number(iterations), encodeText(salt), hash), lost);
  }
  const digest = DIGESTS.find((each) => each === name);
  if (digest === undefined) return refuse(notSupported("algorithm", name));
  const at = parts.indexOf("@");
  const [before, after] = [parts.slice(0, at).join(""), parts.slice(at + 1).join("")];
  if (at === -1 || parts.lastIndexOf("@") !== at || (before !== "" && after !== "")) {
    return refuse("the order of the salt and the password is not supported");
  }
  if (before === "" && after === "") return refuse(`unsalted ${digest}`);
  const position = before === "" ? "suffix" : "prefix";
  return toPasswordHash(saltedDigestHash(digest, position, encodeText(before || after), hash), lost);
}

const DIGESTS = ["md5", "sha1", "sha256", "sha512"] as const;

function parseLegacy(text: string) {
  try {
    const [name, parts, hash]: readonly unknown[] = JSON.parse(text);
    if (typeof name !== "string" || !Array.isArray(parts) || typeof hash !== "string") return undefined;
    return { name: name.toLowerCase(), parts: parts.map(String), hash: decodeHex(hash) };
  } catch {
    return undefined;
  }
}
