import { createOperatorCall } from "../call.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { NIL_ID } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { createRunTogether } from "../database/run-together.ts";
import { openKeyring } from "../server/keyring.ts";
import { openOneTimeCode } from "../sign-in/code/one-time-code.ts";
import { removeOneTimeCode } from "../users/credentials/remove-one-time-code.ts";
import { createCommandOutbox } from "./command-outbox.ts";
import { databaseCommand } from "./database-command.ts";
import { readInstanceId } from "./find-scope.ts";
import { findUser, type UserOptions } from "./find-user.ts";
import { notifyAppsOfEnds } from "./notify-apps.ts";
import { print, toTable } from "./print.ts";

interface ListOptions {
  /** Only the users whose `otpCode` is not a usable secret. */
  readonly unusable: boolean;
  readonly json: boolean;
}

/** `signet otp list`: the users with one-time codes, without their secrets. */
export const listOtpCommand = databaseCommand(async (db, { unusable, json }: ListOptions, config) => {
  const users = (await listUsers(db, openKeyring(config))).filter(({ usable }) => !unusable || !usable);
  const rows = users.map(({ userId, userName, org, usable }) => [userId, userName, org, usable ? "yes" : "no"]);
  print(json, users, toTable(["ID", "USER", "ORG", "USABLE"], rows));
});

/** `signet otp remove`: for a user who has lost the authenticator app and has no recovery code. */
export const removeOtpCommand = databaseCommand(async (db, { user, org, json }: UserOptions, config) => {
  const { id, org_id: orgId, user_name: userName } = await findUser(db, user, org);
  const call = createOperatorCall({ instanceId: await readInstanceId(db), orgId });
  const parts = { runTogether: createRunTogether(db), clock: () => new Date(), outbox: createCommandOutbox(config) };
  await notifyAppsOfEnds(config, db, (announceEnds) =>
    removeOneTimeCode({ ...parts, announceEnds }, { userId: id }, call),
  );
  print(json, { userId: id, orgId }, [`${userName} is no longer asked for one-time codes`]);
});

const BATCH = 1_000;

/** Sorted by id, and therefore by time of import. */
async function listUsers(db: Database, keyring: Keyring) {
  const found: { userId: string; userName: string; org: string; usable: boolean }[] = [];
  let after = NIL_ID;
  for (;;) {
    const rows = await db
      .selectFrom("users")
      .innerJoin("orgs", "orgs.id", "users.org_id")
      .select(["users.id", "users.user_name as userName", "orgs.name as org"])
      .select(["users.otp_code as otpCode", "users.otp_code_key as otpCodeKey"])
      .where("users.otp_code", "is not", null)
      .where("orgs.removed_at", "is", null)
      .where("users.id", ">", after)
      .orderBy("users.id")
      .limit(BATCH)
      .execute();
    for (const user of rows) {
      const usable = openOneTimeCode(keyring, user) !== undefined;
      found.push({ userId: user.id, userName: user.userName, org: user.org, usable });
      after = user.id;
    }
    if (rows.length < BATCH) return found;
  }
}
