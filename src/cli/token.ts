import { createToken } from "../access/create-token.ts";
import { grantRole } from "../access/grant-role.ts";
import { listTokens } from "../access/list-tokens.ts";
import { revokeToken } from "../access/revoke-token.ts";
import { type Config, ConfigError } from "../config.ts";
import type { Database } from "../database/database.ts";
import { findOrg } from "../orgs/find-orgs.ts";
import type { Role } from "../roles.ts";
import { withDatabase } from "../server/open-database.ts";
import { ensureMachineUser } from "../users/machine/ensure-machine-user.ts";
import { databaseCommand } from "./database-command.ts";
import { findScope } from "./find-scope.ts";
import { grantReviewed, reportPlacedCredentials } from "./placed-credentials.ts";
import { print, toRows, toTable } from "./print.ts";

const DAY_MS = 86_400_000;

interface CreateTokenOptions {
  readonly user: string;
  /** Id or name of the user's organization. */
  readonly org: string;
  readonly role?: Role;
  /** Id or name of the organization in which to grant the role. */
  readonly in?: string;
  readonly days?: number;
  /** Whether the role may be granted to a user who exists. */
  readonly existingUser: boolean;
  readonly endCredentials: boolean;
  readonly json: boolean;
}

/** `signet token create`: prints the token, which cannot be shown again. */
export async function createTokenCommand(config: Config, options: CreateTokenOptions): Promise<void> {
  const { role, existingUser, endCredentials } = options;
  for (const [name, isGiven] of Object.entries({
    "--in": options.in !== undefined,
    "--existing-user": existingUser,
    "--end-credentials": endCredentials,
  })) {
    if (isGiven && role === undefined) throw new ConfigError(`${name} requires --role`);
  }
  await withDatabase(config, async (db) => {
    const parts = { db, clock: () => new Date() };
    const org = await findOrg(db, options.org);
    const scopeId = role && (await findScope(db, role, options.in, org.id));
    const expiresAt = options.days === undefined ? null : new Date(parts.clock().getTime() + options.days * DAY_MS);

    const { id: userId, isNew } = await ensureMachineUser(parts, org.id, options.user);
    const user = { orgId: org.id, id: userId };
    const isGrant = role !== undefined && scopeId !== undefined && !(await hasRole(db, userId, role, scopeId));
    if (isGrant && !isNew && !existingUser) throw userExists(options.user, role);
    // A user who gets no role keeps what it has, unless the command says otherwise.
    const isReviewed = endCredentials || (isGrant && !isNew);
    const grant = async () => {
      if (isGrant) await grantRole(parts, { user, role, scopeId });
    };
    const credentials = isReviewed ? await grantReviewed(config, db, { user, ends: endCredentials, grant }) : [];
    if (!isReviewed) await grant();
    const { id, token } = await createToken(parts, user, expiresAt);
    if (!options.json) reportPlacedCredentials(options.user, credentials, endCredentials);
    print(options.json, { id, token, userId, orgId: org.id, expiresAt, credentials }, [token]);
  });
}

/** The creator of the user may have one of its tokens, which would get the role too. */
function userExists(name: string, role: Role): ConfigError {
  return new ConfigError(
    `the user ${name} exists and does not have the role ${role}: existing tokens of the user would get the role too; ` +
      "use another name, or --existing-user, with --end-credentials to end what others have placed",
  );
}

async function hasRole(db: Database, userId: string, role: Role, scopeId: string): Promise<boolean> {
  const member = await db
    .selectFrom("members")
    .select("role")
    .where("scope_id", "=", scopeId)
    .where("user_id", "=", userId)
    .where("role", "=", role)
    .executeTakeFirst();
  return member !== undefined;
}

/** `signet token list`. */
export const listTokensCommand = databaseCommand(async (db, { json }: { readonly json: boolean }) => {
  const tokens = await listTokens(db);
  const shown = tokens.map((each) => ({
    ...each,
    lastFour: `…${each.lastFour}`,
    expiresAt: each.expiresAt ?? "never",
  }));
  const rows = toRows(shown, "id", "lastFour", "user", "org", "createdAt", "expiresAt", "revokedAt");
  print(json, tokens, toTable(["ID", "TOKEN", "USER", "ORG", "CREATED", "EXPIRES", "REVOKED"], rows));
});

/** `signet token revoke`. */
export const revokeTokenCommand = databaseCommand(
  async (db, { id, json }: { readonly id: string; readonly json: boolean }) => {
    await revokeToken({ db, clock: () => new Date() }, id);
    print(json, { id }, [`revoked ${id}`]);
  },
);
