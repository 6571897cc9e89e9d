import { createToken } from "../access/create-token.ts";
import { grantRole } from "../access/grant-role.ts";
import { listTokens } from "../access/list-tokens.ts";
import { revokeToken } from "../access/revoke-token.ts";
import { type Config, ConfigError } from "../config.ts";
import { findOrg } from "../orgs/find-orgs.ts";
import type { Role } from "../roles.ts";
import { withDatabase } from "../server/open-database.ts";
import { ensureMachineUser } from "../users/machine/ensure-machine-user.ts";
import { findScope } from "./find-scope.ts";
import { print, toTable } from "./print.ts";

const DAY_MS = 86_400_000;

interface CreateTokenOptions {
  readonly user: string;
  /** Id or name of the user's organization. */
  readonly org: string;
  readonly role?: Role;
  /** Id or name of the organization in which to grant the role. */
  readonly in?: string;
  readonly days?: number;
  readonly json: boolean;
}

/** `signet token create`: prints the token, which cannot be shown again. */
export async function createTokenCommand(config: Config, options: CreateTokenOptions): Promise<void> {
  if (options.in !== undefined && options.role === undefined) throw new ConfigError("--in requires --role");
  await withDatabase(config, async (db) => {
    const parts = { db, clock: () => new Date() };
    const org = await findOrg(db, options.org);
    const scopeId = options.role && (await findScope(db, options.role, options.in, org.id));
    const expiresAt = options.days === undefined ? null : new Date(parts.clock().getTime() + options.days * DAY_MS);

    const user = { orgId: org.id, id: await ensureMachineUser(parts, org.id, options.user) };
    if (options.role && scopeId) await grantRole(parts, { user, role: options.role, scopeId });
    const { id, token } = await createToken(parts, user, expiresAt);
    print(options.json, { id, token, userId: user.id, orgId: org.id, expiresAt }, [token]);
  });
}

/** `signet token list`. */
export async function listTokensCommand(config: Config, { json }: { json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    const tokens = (await listTokens(db)).map((token) => ({
      id: token.id,
      lastFour: token.last_four,
      user: token.user_name,
      org: token.org_name,
      createdAt: token.created_at,
      expiresAt: token.expires_at,
      revokedAt: token.revoked_at,
    }));
    const rows = tokens.map(({ id, lastFour, user, org, createdAt, expiresAt, revokedAt }) => [
      id,
      `…${lastFour}`,
      user,
      org,
      createdAt.toISOString(),
      expiresAt?.toISOString() ?? "never",
      revokedAt?.toISOString() ?? "",
    ]);
    print(json, tokens, toTable(["ID", "TOKEN", "USER", "ORG", "CREATED", "EXPIRES", "REVOKED"], rows));
  });
}

/** `signet token revoke`. */
export async function revokeTokenCommand(config: Config, { id, json }: { id: string; json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    await revokeToken({ db, clock: () => new Date() }, id);
    print(json, { id }, [`revoked ${id}`]);
  });
}
