import { fromJson } from "@bufbuild/protobuf";
import pg from "pg";
import { ImportHumanUserRequestSchema, UpdateHumanPhoneRequestSchema } from "../gen/signet/v1/management_pb.js";
import { createAuthorize } from "../src/access/authorize.ts";
import { createRecentCredentials } from "../src/access/recent-credentials.ts";
import { createTokenUses } from "../src/access/token-uses.ts";
import type { Call } from "../src/call.ts";
import { createKeyring } from "../src/crypto/keyring.ts";
import { hashSecret } from "../src/crypto/secrets.ts";
import { connect } from "../src/database/connection.ts";
import { createRunTogether } from "../src/database/run-together.ts";
import { createOutbox } from "../src/messages/outbox.ts";
import { checkUpdateHumanPhone, updateHumanPhone } from "../src/users/change/update-human-phone.ts";
import { checkImportHumanUser } from "../src/users/import/check-import-human-user.ts";
import { importHumanUser } from "../src/users/import/import-human-user.ts";
import { watchQueries } from "../test/support/databases/database.ts";
import { toImportRequest, toPhoneNumber, toUserId } from "./data.ts";

/** A statement as the service sends it, with the values of one call. */
export interface CapturedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The two statements of an operation: the lookup of the caller, and the write. */
export interface CapturedOperation {
  readonly authorize: CapturedStatement;
  readonly write: CapturedStatement;
  /** The id of the created object. */
  readonly newId?: string;
}

/** The number of the user in the captured values. */
export const SAMPLE = 999_999_999;

/** The lookup of one caller. The service looks up all callers of a tick with one statement. */
export const FIND_PRINCIPAL = `
  select tokens.user_id, tokens.org_id, instance.id as instance_id,
    exists (select from orgs where orgs.id = tokens.org_id) as org_exists,
    array(select role from members where user_org_id = tokens.org_id and user_id = tokens.user_id
      and scope_id = instance.id) as instance_roles,
    array(select role from members where user_org_id = tokens.org_id and user_id = tokens.user_id
      and scope_id = tokens.org_id) as org_roles
  from tokens cross join instance
  where tokens.hash = $1::bytea and tokens.revoked_at is null
    and (tokens.expires_at is null or tokens.expires_at > $2::timestamptz)`;

/**
 * Captures the statements of both operations. The writes are recorded from the service's own code, so that the servers
 * to compare run the same statements.
 */
export async function captureStatements(
  url: string,
  token: string,
): Promise<Record<"phone" | "import", CapturedOperation>> {
  const captured: CapturedStatement[] = [];
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const db = watchQueries(
    connect({ url }, 1, () => {}),
    ({ sql, parameters }) => {
      captured.push({ text: sql, values: parameters });
    },
  );
  const runTogether = createRunTogether(db);
  const clock = () => new Date();
  const keyring = createKeyring([Buffer.alloc(32)]);
  const outbox = createOutbox({
    keyring,
    publicUrl: "http://localhost",
    sendsEmail: false,
    sendsSms: false,
    onQueued() {},
  });
  const passwords = {
    hash: async () => "",
    verify: async () => ({ matches: false, needsRehash: false }),
    state: () => ({ running: 0, waiting: 0, threads: 1 }),
    close: async () => {},
  };
  const problems = {
    add(field: string, description: string) {
      throw new Error(`${field}: ${description}`);
    },
  };

  async function capture(operate: (call: Call) => Promise<unknown>): Promise<CapturedOperation> {
    captured.length = 0;
    const principal = await createAuthorize(
      runTogether,
      clock,
      createRecentCredentials(),
      createTokenUses(),
    )({ authorization: `Bearer ${token}`, orgId: undefined, client: STRANGER }, "user.write");
    await operate({ ...principal, signal: new AbortController().signal, throwIfOver() {} }).catch(() => {});
    const [, write] = captured;
    if (write === undefined) throw new Error("expected an operation to run two statements");
    return { authorize: { text: FIND_PRINCIPAL, values: [hashSecret(token), new Date()] }, write };
  }

  const phoneRequest = { userId: toUserId(SAMPLE), phone: toPhoneNumber(SAMPLE), isPhoneVerified: true };
  const operations = {
    phone: await capture((call) => {
      const request = fromJson(UpdateHumanPhoneRequestSchema, phoneRequest);
      return updateHumanPhone({ runTogether, outbox, clock }, checkUpdateHumanPhone(request, problems), call);
    }),
    import: await capture((call) => {
      const request = fromJson(ImportHumanUserRequestSchema, toImportRequest(SAMPLE) as never);
      return importHumanUser(
        { runTogether, outbox, clock, keyring, passwords },
        checkImportHumanUser(request, problems),
        call,
      );
    }),
  };
  // Delete what the import wrote.
  const name = `user-${SAMPLE}`;
  const { rows } = await pool.query("delete from users where user_name = $1 returning id", [name]);
  const newId = rows[0].id as string;
  await pool.query("delete from events where aggregate_id = $1", [newId]);
  await db.destroy();
  await pool.end();
  return { phone: operations.phone, import: { ...operations.import, newId } };
}

/** Returns the values of a statement for another call. `replacements` maps captured values to the call's values. */
export function bindValues(
  { values }: CapturedStatement,
  replacements: readonly (readonly [string, string])[],
): unknown[] {
  return values.map((value) => {
    if (value instanceof Date) return new Date();
    if (typeof value !== "string") return value;
    return replacements.reduce((filled, [from, to]) => filled.replaceAll(from, to), value);
  });
}

/** An address without a budget. */
const STRANGER = { refuseStranger: () => undefined, countFailure() {}, trust() {} };
