import type { Keyring } from "../crypto/keyring.ts";
import type { Database } from "../database/database.ts";

/** A key of the instance, without its content. */
interface KeyInfo {
  readonly id: string;
  readonly algorithm: string;
  /** `announced`: it does not sign yet. `previous`: it only verifies or decrypts. */
  readonly state: "announced" | "current" | "previous";
  readonly createdAt: Date;
}

/**
 * Lists the keys that sign tokens and the master keys, the latest first.
 *
 * @throws SignetError for a failure of the database.
 */
export async function listKeys(db: Database, keyring: Keyring, now: Date): Promise<KeyInfo[]> {
  const signing = await db
    .selectFrom("signing_keys")
    .select(["id", "algorithm", "created_at", "signs_from"])
    .orderBy("signs_from", "desc")
    .orderBy("algorithm")
    .execute();
  const master = await db
    .selectFrom("master_keys")
    .select(["id", "created_at"])
    .orderBy("created_at", "desc")
    .execute();
  const current = new Map<string, string>();
  for (const { id, algorithm, signs_from } of signing) {
    if (signs_from <= now && !current.has(algorithm)) current.set(algorithm, id);
  }
  return [
    ...signing.map(({ id, algorithm, created_at, signs_from }) => ({
      id,
      algorithm,
      state: signs_from > now ? "announced" : current.get(algorithm) === id ? "current" : "previous",
      createdAt: created_at,
    })),
    ...master.map(({ id, created_at }) => ({
      id,
      algorithm: "A256GCM",
      state: id === keyring.currentKeyId ? "current" : "previous",
      createdAt: created_at,
    })),
  ] as KeyInfo[];
}
