import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { ConfigError } from "../config.ts";
import { isConflict, isLockTimeout } from "./failure.ts";
import { firstTables } from "./migrations/0001-first-tables.ts";
import { delivery } from "./migrations/0002-delivery.ts";
import { states } from "./migrations/0003-states.ts";
import { userSearch } from "./migrations/0004-user-search.ts";
import { userChanges } from "./migrations/0005-user-changes.ts";
import { credentials } from "./migrations/0006-credentials.ts";
import { signIn } from "./migrations/0007-sign-in.ts";
import { idpsAndMembers } from "./migrations/0008-idps-and-members.ts";
import { externalSignIn } from "./migrations/0009-external-sign-in.ts";
import { secondFactors } from "./migrations/0010-second-factors.ts";
import { searchBatches } from "./migrations/0011-search-batches.ts";
import { endedSessions } from "./migrations/0012-ended-sessions.ts";
import { roomForChanges } from "./migrations/0013-room-for-changes.ts";
import { apiAccess } from "./migrations/0014-api-access.ts";
import { linkedUsers } from "./migrations/0015-linked-users.ts";
import { clientKeys } from "./migrations/0016-client-keys.ts";
import { federatedLogout } from "./migrations/0017-federated-logout.ts";
import { sessionGrants } from "./migrations/0018-session-grants.ts";
import { defaultOrg } from "./migrations/0019-default-org.ts";
import { signInByPhone } from "./migrations/0020-sign-in-by-phone.ts";
import { machineUsers } from "./migrations/0021-machine-users.ts";
import { notices } from "./migrations/0022-notices.ts";
import { branding } from "./migrations/0023-branding.ts";
import { account } from "./migrations/0024-account.ts";
import { userMetadata } from "./migrations/0025-user-metadata.ts";
import { providerKinds } from "./migrations/0026-provider-kinds.ts";
import { loginPolicies } from "./migrations/0027-login-policies.ts";
import { lastSignIn } from "./migrations/0028-last-sign-in.ts";
import { orgDomains } from "./migrations/0029-org-domains.ts";
import { verifiedPhones } from "./migrations/0030-verified-phones.ts";
import { samlResponses } from "./migrations/0034-saml-responses.ts";
import { lastOwner } from "./migrations/0043-last-owner.ts";
import { orgState } from "./migrations/0044-org-state.ts";
import { eventSearch } from "./migrations/0046-event-search.ts";
import { lastActiveOwner } from "./migrations/0049-last-active-owner.ts";
import { pageTexts } from "./migrations/0054-page-texts.ts";
import { samlOrigins } from "./migrations/0056-saml-origins.ts";
import { webhooks } from "./migrations/0057-webhooks.ts";
import { orgRemoval } from "./migrations/0058-org-removal.ts";
import { activeOwners } from "./migrations/0059-active-owners.ts";
import { serviceApps } from "./migrations/0060-service-apps.ts";
import { appRoles } from "./migrations/0061-app-roles.ts";
import { metadataClaims } from "./migrations/0062-metadata-claims.ts";
import { apis } from "./migrations/0063-apis.ts";
import { userSubjects } from "./migrations/0064-user-subjects.ts";
import { importedPasskeys } from "./migrations/0065-imported-passkeys.ts";
import { passwordHooks } from "./migrations/0066-password-hooks.ts";
import { requiredSecondFactors } from "./migrations/0067-required-second-factors.ts";
import { unsentMessages } from "./migrations/0068-unsent-messages.ts";
import { unverifiedPhones } from "./migrations/0070-unverified-phones.ts";
import { messageTurns } from "./migrations/0071-message-turns.ts";
import { idTokenAlgorithms } from "./migrations/0075-id-token-algorithms.ts";
import { parAndDpop } from "./migrations/0076-par-and-dpop.ts";
import { idTokenClaims } from "./migrations/0077-id-token-claims.ts";
import { optionalPkce } from "./migrations/0081-optional-pkce.ts";
import { namePartitionIndexes } from "./partition.ts";
import { MIGRATION_LOCK } from "./signet-dialect.ts";
import type { Tables } from "./tables.ts";

export const MIGRATIONS = {
  "0001-first-tables": firstTables,
  "0002-delivery": delivery,
  "0003-states": states,
  "0004-user-search": userSearch,
  "0005-user-changes": userChanges,
  "0006-credentials": credentials,
  "0007-sign-in": signIn,
  "0008-idps-and-members": idpsAndMembers,
  "0009-external-sign-in": externalSignIn,
  "0010-second-factors": secondFactors,
  "0011-search-batches": searchBatches,
  "0012-ended-sessions": endedSessions,
  "0013-room-for-changes": roomForChanges,
  "0014-api-access": apiAccess,
  "0015-linked-users": linkedUsers,
  "0016-client-keys": clientKeys,
  "0017-federated-logout": federatedLogout,
  "0018-session-grants": sessionGrants,
  "0019-default-org": defaultOrg,
  "0020-sign-in-by-phone": signInByPhone,
  "0021-machine-users": machineUsers,
  "0022-notices": notices,
  "0023-branding": branding,
  "0024-account": account,
  "0025-user-metadata": userMetadata,
  "0026-provider-kinds": providerKinds,
  "0027-login-policies": loginPolicies,
  "0028-last-sign-in": lastSignIn,
  "0029-org-domains": orgDomains,
  "0030-verified-phones": verifiedPhones,
  "0034-saml-responses": samlResponses,
  "0043-last-owner": lastOwner,
  "0044-org-state": orgState,
  "0046-event-search": eventSearch,
  "0049-last-active-owner": lastActiveOwner,
  "0054-page-texts": pageTexts,
  "0056-saml-origins": samlOrigins,
  "0057-webhooks": webhooks,
  "0058-org-removal": orgRemoval,
  "0059-active-owners": activeOwners,
  "0060-service-apps": serviceApps,
  "0061-app-roles": appRoles,
  "0062-metadata-claims": metadataClaims,
  "0063-apis": apis,
  "0064-user-subjects": userSubjects,
  "0065-imported-passkeys": importedPasskeys,
  "0066-password-hooks": passwordHooks,
  "0067-required-second-factors": requiredSecondFactors,
  "0068-unsent-messages": unsentMessages,
  "0070-unverified-phones": unverifiedPhones,
  "0071-message-turns": messageTurns,
  "0075-id-token-algorithms": idTokenAlgorithms,
  "0076-par-and-dpop": parAndDpop,
  "0077-id-token-claims": idTokenClaims,
  "0081-optional-pkce": optionalPkce,
};

/**
 * The suffix of the name of a migration that removes something used by earlier versions: `-requires-` and the number of
 * the oldest migration that a version must have.
 */
const REQUIRES = /-requires-(\d{4})$/;

/**
 * Statements queue behind a migration that waits for a lock, so it waits for less time than their limit. After this
 * many attempts, another transaction, such as a backup, has held the lock for minutes.
 */
const LOCK_TIMEOUT = "3s";
const MAX_ATTEMPTS = 20;
const PAUSE_MS = 1_000;

/**
 * Runs the pending migrations in one transaction, while other processes serve calls. Several processes may call it: an
 * advisory lock serializes them.
 *
 * Accepts migrations run by a newer version; see `acceptNewerMigrations`.
 *
 * @returns The names of the migrations that this call ran.
 * @throws The error of the failed migration; the transaction is rolled back. ConfigError like `acceptNewerMigrations`.
 */
export async function migrate(db: Kysely<Tables>): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      // The changes that another process made before releasing the lock must be visible.
      return await db.transaction().setIsolationLevel("read committed").execute(runPending);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !(isConflict(error) || isLockTimeout(error))) throw error;
      await delay(PAUSE_MS);
    }
  }
}

async function runPending(transaction: Kysely<Tables>): Promise<string[]> {
  // The role may have time limits.
  await sql`
    select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
      set_config('lock_timeout', '0', true)`.execute(transaction);
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
  await acceptNewerMigrations(transaction);
  if ((await pendingMigrations(transaction)).length === 0) return [];
  await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(transaction);
  await throwIfReadOnly(transaction);
  const { error, results } = await createMigrator(transaction).migrateToLatest();
  if (error !== undefined) throw error;
  await namePartitionIndexes(transaction);
  return (results ?? []).map(({ migrationName }) => migrationName);
}

/** Kysely would report the error of a later statement, that the transaction is aborted (SQLSTATE 25P02). */
async function throwIfReadOnly(transaction: Kysely<Tables>): Promise<void> {
  await sql`
    do $$ begin
      if current_setting('transaction_read_only')::boolean then raise read_only_sql_transaction; end if;
    end $$`.execute(transaction);
}

/** Kysely's migrator with these migrations. */
export function createMigrator(db: Kysely<Tables>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
}

/** Returns the names of the migrations that have not run yet. */
export async function pendingMigrations(db: Kysely<Tables>): Promise<string[]> {
  const executed = await executedMigrations(db);
  return Object.keys(MIGRATIONS).filter((name) => !executed.includes(name));
}

/** Returns the names of the migrations that have run, including those of newer versions. */
async function executedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (found[0]?.exists !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Returns the name of the latest migration that has run. */
export async function lastMigration(db: Kysely<Tables>): Promise<string> {
  return (await executedMigrations(db)).at(-1) ?? "";
}

/** Returns the names of the migrations run by a newer version, which normally only adds to the tables. */
export async function newerMigrations(db: Kysely<Tables>): Promise<string[]> {
  return (await executedMigrations(db)).filter((name) => !(name in MIGRATIONS));
}

/**
 * Returns the same names if this version can use the tables.
 *
 * @throws ConfigError if one of them requires a migration that this version does not contain.
 */
export async function acceptNewerMigrations(db: Kysely<Tables>): Promise<string[]> {
  const newer = await newerMigrations(db);
  const latest = Object.keys(MIGRATIONS).at(-1)?.slice(0, 4) ?? "";
  const incompatible = newer.find((name) => (REQUIRES.exec(name)?.[1] ?? "") > latest);
  if (incompatible !== undefined) {
    throw new ConfigError(
      `the database has the migration ${incompatible} of a newer version of Signet, whose tables this version cannot use`,
    );
  }
  return newer;
}
