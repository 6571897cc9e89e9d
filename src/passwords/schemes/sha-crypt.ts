import { parseWholeNumber, rangeProblem } from "./bounds.ts";
import { incomplete, type Scheme, unlessProblem } from "./scheme.ts";

export interface ShaCryptHash {
  readonly scheme: "SHA-crypt";
  readonly digest: "sha256" | "sha512";
  readonly rounds: number;
  /** The text itself. */
  readonly salt: string;
  /** In the alphabet of crypt(3), in the scheme's order of bytes. */
  readonly hash: string;
}

/** Ulrich Drepper, "Unix crypt using SHA-256 and SHA-512": `$5$` is SHA-256, `$6$` is SHA-512. */
export const shaCrypt: Scheme<ShaCryptHash> = {
  name: "SHA-crypt",
  identifiers: ["5", "6"],
  parse(value) {
    const { form, digest, characters } = value.startsWith("$5$") ? SHA256 : SHA512;
    const { rounds = DEFAULT_ROUNDS, salt, hash } = form.exec(value)?.groups ?? {};
    if (salt === undefined || hash === undefined) {
      const looks = `${value.slice(0, 3)}rounds=<rounds>$<up to 16 characters of salt>$<${characters} characters of hash>`;
      return incomplete("SHA-crypt", looks);
    }
    const parsed = { scheme: "SHA-crypt", digest, rounds: parseWholeNumber(rounds), salt, hash } as const;
    return unlessProblem(rangeProblem("SHA-crypt rounds", parsed.rounds, ROUNDS), parsed);
  },
};

const SHA256 = {
  form: /^\$5\$(?:rounds=(?<rounds>\d+)\$)?(?<salt>[./0-9A-Za-z]{1,16})\$(?<hash>[./0-9A-Za-z]{42}[./0-9A-D])$/,
  digest: "sha256",
  characters: 43,
} as const;

const SHA512 = {
  form: /^\$6\$(?:rounds=(?<rounds>\d+)\$)?(?<salt>[./0-9A-Za-z]{1,16})\$(?<hash>[./0-9A-Za-z]{85}[./01])$/,
  digest: "sha512",
  characters: 86,
} as const;

/** For a hash that does not name its rounds. */
const DEFAULT_ROUNDS = "5000";

/** The minimum is SHA-crypt's. Exports have 5,000 to 656,000 (passlib); 3,000,000 take 7.6 s. */
const ROUNDS = { min: 1_000, max: 3_000_000 };
