import { readdirSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import type { Self } from "../../../src/actor.ts";
import type { Call } from "../../../src/call.ts";
import { createKeyring } from "../../../src/crypto/keyring.ts";
import { registerKeys } from "../../../src/crypto/register-keys.ts";
import { createId } from "../../../src/crypto/secrets.ts";
import { mapProfile, type ProfilePayload } from "../../../src/database/profile.ts";
import { createRunTogether } from "../../../src/database/run-together.ts";
import { createOutbox } from "../../../src/messages/outbox.ts";
import { createOrg } from "../../../src/orgs/change-org.ts";
import { removeIdpLink } from "../../../src/users/change/change-idp-links.ts";
import { changeOwnPhone, requestEmailChange } from "../../../src/users/change/change-own-contact.ts";
import type { ChangeUserParts } from "../../../src/users/change/change-user.ts";
import { endUserSessions } from "../../../src/users/change/end-user-sessions.ts";
import { removeHumanPhone } from "../../../src/users/change/remove-human-phone.ts";
import { type RemoveUserParts, removeUser } from "../../../src/users/change/remove-user.ts";
import { resendHumanPhoneVerification } from "../../../src/users/change/resend-human-phone-verification.ts";
import { updateHumanEmail } from "../../../src/users/change/update-human-email.ts";
import { updateHumanProfile } from "../../../src/users/change/update-human-profile.ts";
import { updateUserName } from "../../../src/users/change/update-user-name.ts";
import { withdrawAppAccess } from "../../../src/users/change/withdraw-app-access.ts";
import { addPasskeyRegistration } from "../../../src/users/credentials/add-passkey-registration.ts";
import { removePasskey, renamePasskey } from "../../../src/users/credentials/change-passkeys.ts";
import { removeOneTimeCode } from "../../../src/users/credentials/remove-one-time-code.ts";
import { sendPasswordReset } from "../../../src/users/credentials/send-password-reset.ts";
import { exportUserData } from "../../../src/users/read/export-user-data.ts";
import { createTestDatabase, type TestDatabase } from "../../support/databases/database.ts";
import { createOperations } from "../../support/operations/operations.ts";

const PROVIDER = createId();
const APP = createId();

type Parts = ChangeUserParts & RemoveUserParts;
type Run = (parts: Parts, userId: string, call: Call<Self>) => Promise<unknown>;

/**
 * Every operation that a `self` may run, for the user with an id. The values that name what to change are the user's.
 * The last one leaves no user.
 */
const OPERATIONS: Record<string, Run> = {
  // Others end the sessions, and the access of applications with them.
  withdrawAppAccess: (parts, userId, call) => withdrawAppAccess(parts, { userId, appId: APP }, call),
  addPasskeyRegistration: (parts, userId, call) => addPasskeyRegistration(parts, { userId }, call),
  removePasskey: (parts, userId, call) => removePasskey(parts, { userId, tokenId: `passkey-of-${userId}` }, call),
  removeIdpLink: (parts, userId, call) =>
    removeIdpLink(parts, { userId, idpId: PROVIDER, linkedUserId: `external-of-${userId}` }, call),
  removeOneTimeCode: (parts, userId, call) => removeOneTimeCode(parts, { userId }, call),
  updateUserName: (parts, userId, call) => updateUserName(parts, { userId, userName: `name of ${userId}` }, call),
  updateHumanEmail: (parts, userId, call) =>
    updateHumanEmail(
      parts,
      { userId, email: `new-${userId}@example.com`, verified: true, changesName: true, needsFreeAddress: false },
      call,
    ),
  sendPasswordReset: (parts, userId, call) => sendPasswordReset(parts, { userId, channel: "email" }, call),
  renamePasskey: (parts, userId, call) =>
    renamePasskey(parts, { userId, passkeyId: `other-passkey-of-${userId}`, name: "Phone" }, call),
  updateHumanProfile: (parts, userId, call) =>
    updateHumanProfile(parts, { userId, profile: { ...PROFILE, nickName: "Countess" } }, call),
  requestEmailChange: (parts, userId, call) => requestEmailChange(parts, { userId, email: "new@example.com" }, call),
  changeOwnPhone: (parts, userId, call) => changeOwnPhone(parts, { userId, phone: "+41791234567" }, call),
  resendHumanPhoneVerification: async (parts, userId, call) => {
    // The first SMS was sent a moment ago.
    const later = () => new Date(Date.now() + 120_000);
    return await resendHumanPhoneVerification({ ...parts, clock: later }, { userId }, call);
  },
  removeHumanPhone: (parts, userId, call) => removeHumanPhone(parts, { userId }, call),
  endUserSessions: (parts, userId, call) => endUserSessions(parts, { userId }, call),
  removeUser: (parts, userId, call) => removeUser(parts, { id: userId }, call),
};

/** Operations that only read. */
const READS: Record<string, Run> = {
  exportUserData: (parts, userId, call) => exportUserData(parts, { userId }, call),
};

const PROFILE = mapProfile<ProfilePayload>((_, { rule, isOptional }) => {
  if (isOptional) return null;
  return rule === "number" ? 0 : "Ada";
});

/** Functions that do not check which user is meant, because an operation has done so, or they do. */
const STEPS = ["changeUser", "createNameTakenError", "explainTakenName"];

test("the table contains every operation whose type accepts a self", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const found = files.flatMap((file) => {
    const text = readFileSync(`src/${file}`, "utf8");
    const functions = text.matchAll(/export async function (\w+)(.*?)\): Promise/gs);
    const prepared = text.matchAll(/export const (\w+) = prepareUserOperation<(.*?)>\(\{/gs);
    return [
      ...[...functions].filter(([, , parameters = ""]) => /call: Call<[^>]*\b(?:Self|Actor)\b/.test(parameters)),
      ...[...prepared].filter(([, , types = ""]) => /\b(?:Self|Actor)\b/.test(types)),
    ].map(([, name]) => name);
  });
  expect(found.sort()).toEqual([...Object.keys(OPERATIONS), ...Object.keys(READS), ...STEPS].sort());
});

describe("an operation that a self runs", () => {
  let database: TestDatabase;
  let parts: Parts;
  let self: Call<Self>;
  let other: { readonly ofOrg: string; readonly ofOtherOrg: string };

  beforeAll(async () => {
    database = await createTestDatabase("postgres");
    const { db } = database;
    const clock = () => new Date();
    const keyring = createKeyring([Buffer.alloc(32, 1)]);
    const outbox = createOutbox({
      keyring,
      publicUrl: "http://localhost",
      sendsEmail: true,
      sendsSms: true,
      onQueued() {},
    });
    await registerKeys(db, keyring, clock());
    parts = { db, runTogether: createRunTogether(db), outbox, clock, eraseFiles: async () => {} };
    const [orgId, otherOrgId] = [await createOrg({ db, clock }, "Own"), await createOrg({ db, clock }, "Other")];
    const importInto = async (org: string, userName: string) => {
      const ids = { userId: createId(), instanceId: createId(), orgId: org };
      const operations = createOperations({ runTogether: parts.runTogether, ...ids, keyring });
      const email = { email: `${userName}@example.com`, isEmailVerified: true };
      const { userId } = await operations.importHuman({ userName, email });
      await operations.close();
      await sql`update users set otp_code = '', otp_code_key = (select id from master_keys)
        where id = ${userId}`.execute(db);
      await sql`insert into idps (owner_id, id, name, styling_type, client_id, client_secret, client_secret_key, issuer,
          scopes, display_name_mapping, username_mapping, auto_register, sequence, created_at, changed_at)
        select ${org}, ${PROVIDER}, '', 0, '', '', id, '', '{}', 0, 0, false, 1, now(), now() from master_keys
        on conflict do nothing`.execute(db);
      await sql`insert into user_idp_links (org_id, idp_id, external_user_id, idp_owner_id, user_id, display_name, created_at)
        values (${org}, ${PROVIDER}, ${`external-of-${userId}`}, ${org}, ${userId}, '', now())`.execute(db);
      for (const id of [`passkey-of-${userId}`, `other-passkey-of-${userId}`]) {
        await sql`insert into passkeys (org_id, id, user_id, public_key, counter, transports, aaguid, device_type, backed_up, created_at)
          values (${org}, ${id}, ${userId}, '', 0, '{}', gen_random_uuid(), 'singleDevice', false, now())`.execute(db);
      }
      await sql`insert into oidc_artifacts (kind, key, payload, user_id, client_id, created_at, expires_at)
        values ('Grant', ${Buffer.from(userId)}, '{}', ${userId}, ${APP}, now(), now() + interval '1 hour')`.execute(
        db,
      );
      return userId;
    };
    const userId = await importInto(orgId, "ada");
    other = { ofOrg: await importInto(orgId, "grace"), ofOtherOrg: await importInto(otherOrgId, "hedy") };
    self = { kind: "self", userId, orgId, signal: AbortSignal.any([]), throwIfOver() {} };
  });
  afterAll(() => database?.close());

  /** Every row of every table that mentions the user. */
  async function rowsOf(userId: string): Promise<string[]> {
    const tables = await database.db.introspection.getTables();
    const names = tables.filter(({ isView, schema }) => !isView && schema === "public").map(({ name }) => name);
    const found = await Promise.all(
      names.map((name) =>
        sql<{ row: string }>`select ${sql.lit(name)} || to_jsonb(t)::text as row from ${sql.table(name)} t
          where to_jsonb(t)::text like ${`%${userId}%`}`.execute(database.db),
      ),
    );
    return found.flatMap(({ rows }) => rows.map(({ row }) => row)).sort();
  }

  test.each(Object.entries(READS))("%s reads no other user", async (_, run) => {
    for (const id of [other.ofOrg, other.ofOrg.toUpperCase(), other.ofOtherOrg]) {
      await expect(run(parts, id, self)).rejects.toMatchObject({ reason: "USER_NOT_FOUND" });
    }
    await expect(run(parts, self.userId, self)).resolves.toContain(self.userId);
  });

  test.each(Object.entries(OPERATIONS))("%s changes no other user", async (_, run) => {
    for (const id of [other.ofOrg, other.ofOrg.toUpperCase(), other.ofOtherOrg]) {
      const before = await rowsOf(id.toLowerCase());
      await expect(run(parts, id, self)).rejects.toMatchObject({ reason: "USER_NOT_FOUND" });
      expect(await rowsOf(id.toLowerCase())).toEqual(before);
    }
  });

  test.each(Object.entries(OPERATIONS))("%s changes its own user", async (_, run) => {
    const before = await rowsOf(self.userId);
    await expect(run(parts, self.userId, self)).resolves.toMatchObject({ details: { resourceOwner: self.orgId } });
    expect(await rowsOf(self.userId)).not.toEqual(before);
  });
});
