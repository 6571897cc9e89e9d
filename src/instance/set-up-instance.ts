import { linkSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { sql } from "kysely";
import { createToken } from "../access/create-token.ts";
import { grantRole } from "../access/grant-role.ts";
import { createId } from "../crypto/secrets.ts";
import { type Database, toDatabase } from "../database/database.ts";
import { addObject } from "../events/change-object.ts";
import { hasErrorCode, makeFolder, syncFolder, writeDurably } from "../files.ts";
import { createOrg } from "../orgs/change-org.ts";
import { ensureMachineUser } from "../users/machine/ensure-machine-user.ts";

/** The key of the advisory lock, an arbitrary number. */
const SET_UP_LOCK = 7_446_843;

/**
 * Creates the instance in an empty database, with the organization `default` and the machine user `admin`, which has
 * the role INSTANCE_OWNER. Its token is written to a file with mode 0600 and nowhere else; without a file, there is
 * none. If there is already an instance, nothing is written, so the file system may be read-only.
 *
 * Several processes may call it: an advisory lock serializes them, and only the first one creates the instance. The
 * file is synced to disk before the transaction commits, so a crash can leave a file with an unknown token, but never
 * an instance without its token. An existing file may contain the token of another database, and is kept as
 * `<file>.previous`.
 *
 * @returns Whether this call created the instance.
 */
export async function setUpInstance(db: Database, tokenFile: string | undefined, now: Date): Promise<boolean> {
  return await db.transaction().execute(async (begun) => {
    const transaction = toDatabase(begun);
    await sql`select pg_advisory_xact_lock(${SET_UP_LOCK})`.execute(transaction);
    const existing = await transaction.selectFrom("instance").select("id").executeTakeFirst();
    if (existing !== undefined) return false;
    const parts = { db: transaction, clock: () => now };
    const instanceId = createId();
    const added = { type: "instance.added", payload: {} } as const;
    await addObject({ db: transaction, now, editorId: null }, "instance", { id: instanceId }, [added]);
    const orgId = await createOrg(parts, "default");
    await transaction.updateTable("instance").set({ default_org_id: orgId }).execute();
    const user = { orgId, id: (await ensureMachineUser(parts, orgId, "admin")).id };
    await grantRole(parts, { user, role: "INSTANCE_OWNER", scopeId: instanceId });
    if (tokenFile !== undefined) {
      const { token } = await createToken(parts, user, null);
      replaceDurably(tokenFile, `${token}\n`);
    }
    return true;
  });
}

function replaceDurably(file: string, text: string): void {
  const temporary = `${file}.new`;
  makeFolder(dirname(file));
  rmSync(temporary, { force: true });
  writeDurably(temporary, text);
  keepPrevious(file);
  renameSync(temporary, file);
  syncFolder(dirname(file));
}

/** Links an existing file to a second name: `.previous`, or `.previous.2` and so on if that exists. */
function keepPrevious(file: string): void {
  for (let number = 1; ; number++) {
    try {
      // Unlike rename, link never replaces an existing file.
      linkSync(file, number === 1 ? `${file}.previous` : `${file}.previous.${number}`);
      return;
    } catch (error) {
      if (hasErrorCode(error, "ENOENT")) return;
      if (!hasErrorCode(error, "EEXIST")) throw error;
    }
  }
}
