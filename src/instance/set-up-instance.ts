import { linkSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Role } from "../access/roles.ts";
import { createId, createToken, hashSecret } from "../crypto/secrets.ts";
import type { Tables } from "../database/tables.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { userNameKey } from "../fields/user-name.ts";
import { hasErrorCode, syncFolder, writeDurably } from "../files.ts";

/** Any number: what all processes of Signet lock while one of them sets up the instance. */
const SET_UP_LOCK = 7_446_843;

/**
 * Makes an empty database an instance: the organization `default`, and the machine user `admin` with the role
 * INSTANCE_OWNER and a token that goes to a file of mode 0600 and nowhere else.
 *
 * Several processes may do so at once: a lock in the database lets one go first, and the others find it done. The file
 * is on the disk before the token is in the database, so that a crash can leave a token that nobody accepts, and
 * never one that nobody has. A file that is there already may hold the token of another database, and is kept as
 * `<file>.previous`.
 *
 * @returns Whether this call did it.
 */
export async function setUpInstance(db: Kysely<Tables>, tokenFile: string, now: Date): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${SET_UP_LOCK})`.execute(transaction);
    const existing = await transaction.selectFrom("instance").select("id").executeTakeFirst();
    if (existing !== undefined) return false;
    const token = createToken();
    replaceDurably(tokenFile, `${token}\n`);
    await insertInstance(transaction, token, now);
    return true;
  });
}

async function insertInstance(db: Transaction<Tables>, token: string, now: Date): Promise<void> {
  const [instanceId, orgId, userId, tokenId] = [createId(), createId(), createId(), createId()];
  const role: Role = "INSTANCE_OWNER";
  const lastFour = token.slice(-4);
  const times = { created_at: now, changed_at: now };
  await db
    .insertInto("instance")
    .values({ id: instanceId, sequence: 2n, ...times })
    .execute();
  await db
    .insertInto("orgs")
    .values({ id: orgId, name: "default", name_key: "default", sequence: 1n, ...times })
    .execute();
  await db
    .insertInto("users")
    .values({
      org_id: orgId,
      id: userId,
      kind: "machine",
      user_name: "admin",
      user_name_key: userNameKey("admin"),
      email_verified: false,
      phone_verified: false,
      password_change_required: false,
      sequence: 2n,
      ...times,
    })
    .execute();
  await db
    .insertInto("members")
    .values({ user_org_id: orgId, user_id: userId, scope_id: instanceId, role, created_at: now })
    .execute();
  await db
    .insertInto("tokens")
    .values({
      id: tokenId,
      org_id: orgId,
      user_id: userId,
      hash: hashSecret(token),
      last_four: lastFour,
      created_at: now,
    })
    .execute();

  const record = (ownerId: string, aggregateId: string, ...events: NewEvent[]) =>
    events.map(({ type, payload }, index) => ({
      owner_id: ownerId,
      aggregate_id: aggregateId,
      sequence: BigInt(index + 1),
      type,
      created_at: now,
      payload: JSON.stringify(payload),
    }));
  await db
    .insertInto("events")
    .values([
      ...record(
        instanceId,
        instanceId,
        { type: "instance.added", payload: {} },
        { type: "instance.member.added", payload: { userId, userOrgId: orgId, role } },
      ),
      ...record(orgId, orgId, { type: "org.added", payload: { name: "default" } }),
      ...record(
        orgId,
        userId,
        { type: "user.machine.added", payload: { userName: "admin" } },
        { type: "user.token.added", payload: { tokenId, lastFour, expiresAt: null } },
      ),
    ])
    .execute();
}

function replaceDurably(file: string, text: string): void {
  const temporary = `${file}.new`;
  rmSync(temporary, { force: true });
  writeDurably(temporary, text);
  keepPrevious(file);
  renameSync(temporary, file);
  syncFolder(dirname(file));
}

/** Gives a file, if there is one, a second name: `.previous`, or `.previous.2` and so on where that is taken. */
function keepPrevious(file: string): void {
  for (let number = 1; ; number++) {
    try {
      // Unlike a rename, a link never replaces what is kept already.
      linkSync(file, number === 1 ? `${file}.previous` : `${file}.previous.${number}`);
      return;
    } catch (error) {
      if (hasErrorCode(error, "ENOENT")) return;
      if (!hasErrorCode(error, "EEXIST")) throw error;
    }
  }
}
