import { decodeBase64, decodeHex, encodeBase64, encodeText } from "../fields/bytes.ts";
import { pbkdf2Hash, saltedDigestHash, scryptHash } from "./write-hash.ts";

/** A form in which another program writes hashes of a scheme that Signet has. */
interface OtherForm {
  /** Matches the values that have the form, or seem to. */
  readonly begins: RegExp;
  /** For messages, with placeholders in angle brackets. */
  readonly form: string;
  /** Writes the hash in the form of its scheme. Undefined for an incomplete one. */
  readonly convert: (value: string) => string | undefined;
}

/**
 * Hashes as other programs write them. A stored hash keeps its form, so a row must not change its meaning. Uses nothing of
 * Node: the sources in `src/moving` read hashes with it, also in browsers.
 */
export const otherForms: readonly OtherForm[] = [
  // A name before a complete hash: LDAP directories, passlib, Dovecot and Spring Security.
  named(/^\{crypt\}(?=\$)/i, "{CRYPT}$…"),
  named(/^\{(?:bcrypt|blf-crypt)\}(?=\$2)/i, "{bcrypt}$2…"),
  named(/^\{argon2(?:id?|d)?(?:@SpringSecurity_v\d+_\d+)?\}(?=\$argon2)/i, "{ARGON2}$argon2…"),
  named(/^\{md5-crypt\}(?=\$1\$)/i, "{MD5-CRYPT}$1$…"),
  named(/^\{sha256-crypt\}(?=\$5\$)/i, "{SHA256-CRYPT}$5$…"),
  named(/^\{sha512-crypt\}(?=\$6\$)/i, "{SHA512-CRYPT}$6$…"),
  named(/^\{ldap\}(?=\{)/i, "{ldap}{SSHA}…"),
  // Django.
  named(/^bcrypt\$(?=\$2)/, "bcrypt$$2b$…"),
  named(/^argon2(?=\$argon2)/, "argon2$argon2id$…"),
  {
    begins: /^scrypt\$/,
    form: "scrypt$<N>$<salt>$<r>$<p>$<hash>",
    convert: converter(/^scrypt\$(\d{1,15})\$([^$\s]+)\$(\d{1,15})\$(\d{1,15})\$([A-Za-z0-9+/]+={0,2})$/, (parts) => {
      const [n, salt, r, p, hash] = parts;
      return toScrypt({ n, r, p }, encodeText(salt), decodeBase64(hash));
    }),
  },
  // Werkzeug, and so Flask. The salt is text.
  {
    begins: /^scrypt:/,
    form: "scrypt:<N>:<r>:<p>$<salt>$<hash>",
    convert: converter(/^scrypt:(\d{1,15}):(\d{1,15}):(\d{1,15})\$([^$\s]+)\$([0-9a-f]+)$/, ([n, r, p, salt, hash]) =>
      toScrypt({ n, r, p }, encodeText(salt), decodeHex(hash)),
    ),
  },
  {
    begins: /^pbkdf2:/,
    form: "pbkdf2:sha256:<iterations>$<salt>$<hash>",
    convert: converter(
      /^pbkdf2:(sha1|sha224|sha256|sha384|sha512):(\d{1,15})\$([^$\s]+)\$([0-9a-f]+)$/,
      ([digest, iterations, salt, hash]) => toPbkdf2(digest, Number(iterations), encodeText(salt), decodeHex(hash)),
    ),
  },
  // OpenLDAP, passlib and the newer plugin of 389 Directory Server.
  {
    begins: /^\{pbkdf2(?:-sha(?:1|256|512))?\}\d/i,
    form: "{PBKDF2-SHA256}<iterations>$<salt>$<hash>",
    convert: converter(/^\{(pbkdf2(?:-sha(?:1|256|512))?)\}(.+)$/i, ([name, rest]) => `$${name.toLowerCase()}$${rest}`),
  },
  // The older plugin of 389 Directory Server: 4 bytes of iterations, 64 of salt, 256 of hash, of which the first 32 are enough.
  {
    begins: /^\{pbkdf2_sha256\}/i,
    form: "{PBKDF2_SHA256}<base64 of 324 bytes>",
    convert: converter(/^\{pbkdf2_sha256\}([A-Za-z0-9+/]{432})$/i, ([text]) => {
      const bytes = decodeBase64(text);
      return bytes && toPbkdf2("sha256", readUint32(bytes, 0), bytes.slice(4, 68), bytes.slice(68, 100));
    }),
  },
  // Spring Security. The salt is before the hash; iterations and sizes are those of the encoder of that version.
  {
    begins: /^\{pbkdf2(?:@SpringSecurity_v5_8)?\}[0-9a-f]/,
    form: "{pbkdf2}<80 hexadecimal digits> or {pbkdf2@SpringSecurity_v5_8}<96 hexadecimal digits>",
    convert: (value) =>
      converter(/^\{pbkdf2\}([0-9a-f]{16})([0-9a-f]{64})$/, ([salt, hash]) =>
        toPbkdf2("sha1", 185_000, decodeHex(salt), decodeHex(hash)),
      )(value) ??
      converter(/^\{pbkdf2@SpringSecurity_v5_8\}([0-9a-f]{32})([0-9a-f]{64})$/, ([salt, hash]) =>
        toPbkdf2("sha256", 310_000, decodeHex(salt), decodeHex(hash)),
      )(value),
  },
  {
    begins: /^\{scrypt(?:@SpringSecurity_v\d+_\d+)?\}\$/,
    form: "{scrypt}$<parameters>$<salt>$<hash>",
    convert: converter(/^\{[^}]+\}\$([0-9a-f]{5,6})\$([A-Za-z0-9+/]+={0,2})\$([A-Za-z0-9+/]+={0,2})$/, (parts) => {
      const [parameters, salt, hash] = parts;
      const [, logN, r, p] = /^(..?)(..)(..)$/.exec(parameters) ?? [];
      return `$scrypt$ln=${fromHex(logN)},r=${fromHex(r)},p=${fromHex(p)}$${salt}$${hash}`;
    }),
  },
  // The salt that is hashed includes its braces.
  {
    begins: /^\{(?:MD5|SHA-1|SHA-256|SHA-512)\}\{/,
    form: "{SHA-256}{<salt>}<hexadecimal digits>",
    convert: converter(/^\{(MD5|SHA-1|SHA-256|SHA-512)\}(\{[^{}]+\})([0-9a-f]+)$/, ([name, salt, hash]) => {
      const bytes = decodeHex(hash);
      const digest = DIGESTS.get(name);
      if (bytes === undefined || digest === undefined) return undefined;
      return saltedDigestHash(digest, "suffix", encodeText(salt), bytes);
    }),
  },
  // Dovecot.
  {
    begins: /^\{(?:SMD5|SSHA|SSHA256|SSHA512)\.(?:HEX|B64|BASE64)\}/i,
    form: "{SSHA.HEX}<hexadecimal digits>",
    convert: converter(/^\{(\w+)\.(HEX|B64|BASE64)\}(.+)$/i, ([name, encoding, text]) => {
      if (encoding.toUpperCase() !== "HEX") return `{${name}}${text}`;
      const bytes = decodeHex(text);
      return bytes && `{${name}}${encodeBase64(bytes)}`;
    }),
  },
  {
    begins: /^\{PBKDF2\}\$1\$/i,
    form: "{PBKDF2}$1$<salt>$<iterations>$<hash>",
    convert: converter(/^\{PBKDF2\}\$1\$([^$\s]+)\$(\d{1,15})\$([0-9a-f]{40})$/i, ([salt, iterations, hash]) =>
      toPbkdf2("sha1", Number(iterations), encodeText(salt), decodeHex(hash)),
    ),
  },
  // ASP.NET Core Identity 3: a 1, the digest, the iterations, the size of the salt, the salt, the hash.
  {
    begins: /^AQAAAA[A-Za-z0-9+/]{40,}={0,2}$/,
    form: "AQAAAA<base64>",
    convert(value) {
      const bytes = decodeBase64(value);
      if (bytes === undefined) return undefined;
      const digest = ["sha1", "sha256", "sha512"][readUint32(bytes, 1)];
      const end = 13 + readUint32(bytes, 9);
      if (digest === undefined) return undefined;
      return toPbkdf2(digest, readUint32(bytes, 5), bytes.slice(13, end), bytes.slice(end));
    },
  },
  // ASP.NET Identity 2: a 0, 16 bytes of salt, 32 of hash.
  {
    begins: /^A[A-P][A-Za-z0-9+/]{63}[AQgw]==$/,
    form: "A<67 characters of base64>",
    convert(value) {
      const bytes = decodeBase64(value);
      return bytes && toPbkdf2("sha1", 1_000, bytes.slice(1, 17), bytes.slice(17));
    },
  },
  // Atlassian, with passlib's name; GRUB.
  {
    begins: /^\{PKCS5S2\}/,
    form: "{PKCS5S2}<base64 of 48 bytes>",
    convert: converter(/^\{PKCS5S2\}([A-Za-z0-9+/]{64})$/, ([text]) => {
      const bytes = decodeBase64(text);
      return bytes && toPbkdf2("sha1", 10_000, bytes.slice(0, 16), bytes.slice(16));
    }),
  },
  {
    begins: /^grub\.pbkdf2\.sha512\./,
    form: "grub.pbkdf2.sha512.<iterations>.<salt>.<hash>",
    convert: converter(/^grub\.pbkdf2\.sha512\.(\d{1,15})\.([0-9A-F]+)\.([0-9A-F]+)$/i, ([iterations, salt, hash]) =>
      toPbkdf2("sha512", Number(iterations), decodeHex(salt), decodeHex(hash)),
    ),
  },
  // Cryptacular, with base64url, and Dwayne Litzenberger's, whose salt is everything before the hash; both by passlib's identifier.
  {
    begins: /^\$p5k2\$/,
    form: "$p5k2$<iterations in hexadecimal>$<salt>$<hash>",
    convert: (value) =>
      converter(
        /^\$p5k2\$([0-9a-f]{1,12})\$([A-Za-z0-9_-]+={0,2})\$([A-Za-z0-9_-]{27}=)$/,
        ([iterations, salt, hash]) => toPbkdf2("sha1", fromHex(iterations), decodeBase64(salt), decodeBase64(hash)),
      )(value) ??
      converter(/^(\$p5k2\$([0-9a-f]{0,12})\$[A-Za-z0-9./]*)\$([A-Za-z0-9./]{32})$/, ([salt, iterations, hash]) =>
        toPbkdf2("sha1", fromHex(iterations || "190"), encodeText(salt), decodeBase64(hash.replaceAll(".", "+"))),
      )(value),
  },
  // Passlib's form of SCRAM (RFC 5802): a hash for each digest, of which the longest is enough.
  {
    begins: /^\$scram\$/,
    form: "$scram$<iterations>$<salt>$sha-256=<hash>,…",
    convert: converter(/^\$scram\$(\d{1,15})\$([A-Za-z0-9./]+)\$(.+)$/, ([iterations, salt, list]) => {
      const hashes = new Map(list.split(",").map((each) => [each.split("=")[0], each.split("=")[1]] as const));
      const digest = ["sha-512", "sha-384", "sha-256", "sha-224", "sha-1"].find((name) => hashes.has(name));
      if (digest === undefined) return undefined;
      const decode = (text = "") => decodeBase64(text.replaceAll(".", "+"));
      return toPbkdf2(digest.replace("-", ""), Number(iterations), decode(salt), decode(hashes.get(digest)));
    }),
  },
];

function named(name: RegExp, form: string): OtherForm {
  return { begins: name, form, convert: (value) => value.replace(name, "") };
}

type Parts = readonly [string, string, string, string, string];

function converter(form: RegExp, convert: (parts: Parts) => string | undefined) {
  return (value: string): string | undefined => {
    const [, a = "", b = "", c = "", d = "", e = ""] = form.exec(value) ?? [];
    return form.test(value) ? convert([a, b, c, d, e]) : undefined;
  };
}

const DIGESTS = new Map<string, "md5" | "sha1" | "sha256" | "sha512">([
  ["MD5", "md5"],
  ["SHA-1", "sha1"],
  ["SHA-256", "sha256"],
  ["SHA-512", "sha512"],
]);

function toPbkdf2(
  digest: string,
  iterations: number,
  salt: Uint8Array | undefined,
  hash: Uint8Array | undefined,
): string | undefined {
  return salt?.length && hash?.length ? pbkdf2Hash(digest, iterations, salt, hash) : undefined;
}

function toScrypt(
  costs: { readonly n: string; readonly r: string; readonly p: string },
  salt: Uint8Array,
  hash: Uint8Array | undefined,
): string | undefined {
  const [n, r, p] = [Number(costs.n), Number(costs.r), Number(costs.p)];
  return hash?.length && Number.isInteger(Math.log2(n)) ? scryptHash({ n, r, p }, salt, hash) : undefined;
}

/** Big-endian. NaN if there are not as many bytes. */
function readUint32(bytes: Uint8Array, at: number): number {
  return bytes.length < at + 4 ? Number.NaN : new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
}

function fromHex(digits = ""): number {
  return Number.parseInt(digits, 16);
}
