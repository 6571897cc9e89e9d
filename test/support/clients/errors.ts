import { sql } from "kysely";
import type { Database } from "../../../src/database/database.ts";
import type { Tables } from "../../../src/database/tables.ts";
import type { Outcome, TestProtocol } from "./callers.ts";

/** Number of google.rpc.Code and HTTP status of each reason. */
const RESPONSES = {
  INVALID_ARGUMENT: { code: 3, http: 400 },
  ORG_NOT_FOUND: { code: 5, http: 404 },
  USER_NOT_FOUND: { code: 5, http: 404 },
  IDP_NOT_FOUND: { code: 5, http: 404 },
  PATH_NOT_FOUND: { code: 5, http: 404 },
  TOKEN_NOT_FOUND: { code: 5, http: 404 },
  EXTERNAL_ID_TAKEN: { code: 6, http: 409 },
  SUBJECT_TAKEN: { code: 6, http: 409 },
  PASSKEY_TAKEN: { code: 6, http: 409 },
  METADATA_NOT_FOUND: { code: 5, http: 404 },
  METADATA_LIMIT: { code: 9, http: 400 },
  OTP_NOT_FOUND: { code: 5, http: 404 },
  ORG_NAME_TAKEN: { code: 6, http: 409 },
  ORG_DOMAIN_NOT_FOUND: { code: 5, http: 404 },
  ORG_DOMAIN_EXISTS: { code: 6, http: 409 },
  ORG_DOMAIN_TAKEN: { code: 6, http: 409 },
  ORG_DOMAIN_VERIFIED: { code: 9, http: 400 },
  ORG_DOMAIN_NOT_VERIFIED: { code: 9, http: 400 },
  ORG_DOMAIN_NOT_PROVED: { code: 9, http: 400 },
  TOO_MANY_DOMAINS: { code: 8, http: 429 },
  TOO_MANY_DOMAIN_CHECKS: { code: 8, http: 429 },
  TOO_MANY_PROVIDER_CHECKS: { code: 8, http: 429 },
  TOO_MANY_WEBHOOK_CHECKS: { code: 8, http: 429 },
  USER_NAME_TAKEN: { code: 6, http: 409 },
  EMAIL_TAKEN: { code: 6, http: 409 },
  PHONE_TAKEN: { code: 6, http: 409 },
  IDP_LINK_TAKEN: { code: 6, http: 409 },
  PHONE_NOT_FOUND: { code: 5, http: 404 },
  PASSKEY_NOT_FOUND: { code: 5, http: 404 },
  IDP_LINK_NOT_FOUND: { code: 5, http: 404 },
  TOO_MANY_MESSAGES: { code: 8, http: 429 },
  MEMBER_EXISTS: { code: 6, http: 409 },
  MEMBER_NOT_FOUND: { code: 5, http: 404 },
  POLICY_EXISTS: { code: 6, http: 409 },
  POLICY_NOT_FOUND: { code: 5, http: 404 },
  TEXT_NOT_FOUND: { code: 5, http: 404 },
  PAGE_TEXTS_LIMIT: { code: 9, http: 400 },
  USER_STATE: { code: 9, http: 400 },
  IDP_STATE: { code: 9, http: 400 },
  IDP_HAS_LINKS: { code: 9, http: 400 },
  APP_STATE: { code: 9, http: 400 },
  APP_WITHOUT_SECRET: { code: 9, http: 400 },
  APP_NOT_FOUND: { code: 5, http: 404 },
  APP_ROLE_NOT_FOUND: { code: 5, http: 404 },
  API_NOT_FOUND: { code: 5, http: 404 },
  API_IDENTIFIER_TAKEN: { code: 6, http: 409 },
  WEBHOOK_NOT_FOUND: { code: 5, http: 404 },
  SCIM_CONNECTION_NOT_FOUND: { code: 5, http: 404 },
  TOO_MANY_SCIM_CONNECTIONS: { code: 8, http: 429 },
  PASSWORD_HOOK_NOT_FOUND: { code: 5, http: 404 },
  WEBHOOK_STATE: { code: 9, http: 400 },
  WEBHOOK_DELIVERY_NOT_FOUND: { code: 5, http: 404 },
  WEBHOOK_DELIVERY_IN_PROGRESS: { code: 9, http: 400 },
  TOO_MANY_WEBHOOKS: { code: 8, http: 429 },
  ORG_STATE: { code: 9, http: 400 },
  ORG_PROTECTED: { code: 9, http: 400 },
  LAST_OWNER: { code: 9, http: 400 },
  OWN_USER: { code: 9, http: 400 },
  ONLY_WAY_IN: { code: 9, http: 400 },
  MESSAGE_NOT_FOUND: { code: 5, http: 404 },
  MESSAGE_STATE: { code: 9, http: 400 },
  PHONE_VERIFIED: { code: 9, http: 400 },
  RECIPIENT_NOT_VERIFIED: { code: 9, http: 400 },
  SMS_PROVIDER_MISSING: { code: 9, http: 400 },
  MAIL_SERVER_MISSING: { code: 9, http: 400 },
  IDEMPOTENCY_KEY_REUSED: { code: 9, http: 400 },
  PERMISSION_DENIED: { code: 7, http: 403 },
  TOKEN_MISSING: { code: 16, http: 401 },
  TOKEN_INVALID: { code: 16, http: 401 },
} as const;

export type ErrorReason = keyof typeof RESPONSES;

/** Expects a call to fail with this reason and exactly these violated fields, without writing a row. */
export async function expectError(
  db: Database,
  protocol: TestProtocol,
  call: () => Promise<Outcome>,
  reason: ErrorReason,
  fields: readonly string[] = [],
): Promise<void> {
  const before = await readState(db);
  const outcome = await call();
  const { code, http } = RESPONSES[reason];
  const { metadata: _, ...error } = outcome as { metadata?: unknown };
  expect(error).toEqual({
    ok: false,
    code,
    reason,
    fields: [...fields].sort(),
    message: expect.stringMatching(/./),
    http: protocol === "rest" ? http : undefined,
  });
  expect((await readState(db)).versions).toEqual(before.versions);
}

const TABLES = Object.keys({
  master_keys: true,
  instance: true,
  orgs: true,
  org_domains: true,
  users: true,
  idps: true,
  user_idp_links: true,
  idp_attempts: true,
  registrations: true,
  members: true,
  tokens: true,
  codes: true,
  messages: true,
  passkeys: true,
  user_metadata: true,
  user_app_roles: true,
  user_subjects: true,
  verified_phones: true,
  unverified_phones: true,
  recovery_codes: true,
  login_policies: true,
  apps: true,
  apis: true,
  scim_connections: true,
  scim_requests: true,
  oidc_artifacts: true,
  signing_keys: true,
  events: true,
  rate_limits: true,
  failed_sign_ins: true,
  idempotency_keys: true,
  brandings: true,
  branding_images: true,
  webhooks: true,
  webhook_keys: true,
  webhook_deliveries: true,
  password_hooks: true,
} satisfies Record<keyof Tables, true>);

interface State {
  /** The number of ended transactions in all databases of the server. */
  readonly ended: string;
  readonly versions: Record<string, string>;
}

const states = new WeakMap<Database, State>();

/** Reads the tables only if a transaction has written since the last time, because that takes longer than the call. */
async function readState(db: Database): Promise<State> {
  const ended = await endedOf(db);
  const last = states.get(db);
  if (last?.ended === ended) return last;
  const state = { ended, versions: await versionsOf(db) };
  states.set(db, state);
  return state;
}

/** A transaction that writes takes an id, even if it fails. */
async function endedOf(db: Database): Promise<string> {
  const { rows } = await sql<{ ended: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as ended`.execute(
    db,
  );
  return rows[0]?.ended ?? "";
}

/** For each table the number of rows and the sum of their transaction ids, which every update changes. */
async function versionsOf(db: Database): Promise<Record<string, string>> {
  const version = (table: string) =>
    sql<string>`(select concat(count(*), ' ', sum(xmin::text::bigint)) from ${sql.table(table)})`.as(table);
  return db.selectNoFrom(TABLES.map(version)).executeTakeFirstOrThrow();
}
