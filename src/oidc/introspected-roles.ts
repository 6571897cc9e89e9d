import type { KoaContextWithOIDC } from "oidc-provider";
import { rolesInApp } from "../apps/app-roles.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { userIdOf } from "../users/subjects.ts";
import { orUnavailable } from "./unavailable.ts";

interface Introspected {
  readonly active: boolean;
  readonly client_id?: string;
  readonly sub?: string;
  /** Undefined for refresh tokens. */
  readonly token_type?: string;
}

/**
 * Provider middleware. Adds the claim `roles` to the introspection of an access token: the roles that its user has now
 * in its application. A JSON Web Token has those of the time when it was issued.
 */
export function introspectRoles(db: Database) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    if (ctx.oidc?.route !== "introspection") return;
    const { roles: _, ...body } = (ctx.body ?? {}) as Introspected & { roles?: unknown };
    const { active, token_type, client_id: appId = "", sub } = body;
    if (!active || token_type === undefined || !isId(appId) || sub === undefined) return;
    const [row] = await orUnavailable(() => selectRoles(db, { appId, sub }));
    ctx.body = { ...body, ...(row?.roles && { roles: row.roles }) };
  };
}

const selectRoles = prepareStatement<{ appId: string; sub: string }, { roles: string[] | null }>((db, param) =>
  db.selectNoFrom(rolesInApp(param("appId", "uuid"), userIdOf(param("sub", "text"))).as("roles")),
);
