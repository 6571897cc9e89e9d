import { type Config, ConfigError } from "../config.ts";
import type { Database } from "../database/database.ts";
import { parsePasswordHash } from "../passwords/modular-crypt-format.ts";
import { createVerifier } from "../passwords/verifier.ts";
import { withDatabase } from "../server/open-database.ts";
import { findUser, type UserOptions } from "./find-user.ts";
import { print } from "./print.ts";
import { readPassword } from "./read-password.ts";

/**
 * `signet password check`: prints the scheme of a user's stored hash, and whether the password on standard input
 * matches it. The exit code is 1 if it does not match. Does not change anything.
 */
export async function checkPasswordCommand(config: Config, { user: idOrName, org, json }: UserOptions) {
  const { user, storedHash } = await withDatabase(config, (db) => findHash(db, idOrName, org));
  if (storedHash === null) throw new ConfigError(`user "${user.user_name}" has no password`);
  const parsed = parsePasswordHash(storedHash);
  if (!parsed.ok) throw new ConfigError(`the stored hash of user "${user.user_name}" ${parsed.problem}`);

  const password = await readPassword();
  const verify = createVerifier({ scheme: config.passwordHash, cost: config.bcryptCost });
  const { matches, needsRehash } = verify(password, storedHash);
  const { scheme } = parsed.hash;
  const result = { userId: user.id, orgId: user.org_id, userName: user.user_name, scheme, matches, needsRehash };
  print(json, result, [
    `user      ${user.user_name} (${user.id})`,
    `scheme    ${scheme}`,
    `password  ${matches ? "matches" : "does not match"}`,
    ...(needsRehash ? [`rehash    with ${config.passwordHash}, at the next sign-in`] : []),
  ]);
  if (!matches) process.exitCode = 1;
}

async function findHash(db: Database, idOrName: string, org: string) {
  const user = await findUser(db, idOrName, org);
  const { password_hash: storedHash } = await db
    .selectFrom("users")
    .select("password_hash")
    .where("org_id", "=", user.org_id)
    .where("id", "=", user.id)
    .executeTakeFirstOrThrow();
  return { user, storedHash };
}
