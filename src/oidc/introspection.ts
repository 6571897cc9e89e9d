import { decodeJwt } from "jose/jwt/decode";
import { sql } from "kysely";
import type { AdapterPayload, KoaContextWithOIDC } from "oidc-provider";
import { APP_OF_TOKEN, isLiveToken, SERVICE_TOKEN } from "../access/live-token.ts";
import { isIntrospector } from "../apis/find-api.ts";
import { rolesInApp } from "../apps/app-roles.ts";
import type { Clock } from "../clock.ts";
import { hashSecret, isId } from "../crypto/secrets.ts";
import { isActiveApp, isInActiveOrg } from "../database/active.ts";
import { bytesToText } from "../database/command-list.ts";
import { prepareLookUp } from "../database/prepare-look-up.ts";
import type { RunTogether } from "../database/run-together.ts";
import type { Tables } from "../database/tables.ts";
import type { Exchange } from "../http/exchange.ts";
import { subjectOf } from "../users/subjects.ts";
import { readClientAuthentication } from "./client-authentication.ts";
import { isAllowedDocument } from "./client-documents.ts";
import { compareSecret } from "./client-metadata.ts";
import { isRefusedJwt } from "./revocation.ts";
import { orUnavailable } from "./unavailable.ts";

interface IntrospectionParts {
  readonly runTogether: RunTogether;
  readonly clock: Clock;
  readonly issuer: string;
  /** CLIENT_METADATA_HOSTS. */
  readonly clientHosts: readonly string[];
}

/** Responds to the introspection (RFC 7662) of a token by an application with a secret, or a public one. */
export function createDirectIntrospection(parts: IntrospectionParts) {
  return async ({ headers }: Exchange, form: URLSearchParams) => {
    const authentication = readClientAuthentication(headers, form);
    const token = form.get("token");
    if (headers.origin !== undefined || authentication === undefined || !token) return undefined;
    const { clientId, secret, method } = authentication;
    const row = await findIntrospected(parts, clientId, token);
    if (row?.authMethod !== method) return undefined;
    if (secret !== undefined && !compareSecret(row.secretHash ?? NO_HASH, secret)) return undefined;
    return { body: toBody(row, { ...parts, clientId, token }), isAuthenticated: secret !== undefined };
  };
}

const NO_HASH: Buffer = Buffer.alloc(0);

/**
 * Provider middleware. Gives an application that oidc-provider has authenticated the same response. That of oidc-provider
 * is always `{"active":false}`, because its adapter finds no token (`isIntrospected`).
 */
export function respondToIntrospection(parts: IntrospectionParts) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const { route, client, params } = ctx.oidc ?? {};
    if (route !== "introspection" || client === undefined || (ctx.status !== 200 && !isRefusedJwt(ctx))) return;
    const [clientId, token] = [client.clientId, String(params?.token)];
    const row = await orUnavailable(() => findIntrospected(parts, clientId, token));
    ctx.status = 200;
    ctx.body = row === undefined ? { active: false } : toBody(row, { ...parts, clientId, token });
  };
}

async function findIntrospected(
  { runTogether, clock }: IntrospectionParts,
  clientId: string,
  token: string,
): Promise<IntrospectedRow | undefined> {
  if (!isId(clientId)) return undefined;
  return await runTogether(INTROSPECT, { clientId, hash: bytesToText(hashSecret(token)), now: clock() });
}

interface Asked {
  readonly issuer: string;
  readonly clientHosts: readonly string[];
  readonly clientId: string;
  readonly token: string;
}

/**
 * An application may introspect its own tokens. With a secret or a key, it may also introspect the tokens of its
 * organization's other applications: those for an API that lists it, and those for none. The tokens of an application
 * that is deactivated or removed are not active, although some may be left (`deleteTokens`), and although their API still
 * exists. A client that is not registered has tokens for APIs only, as long as they allow such clients. An unknown token, or one of another organization, gets
 * the same response as an expired one.
 */
function toBody(row: IntrospectedRow, { issuer, clientHosts, clientId, token }: Asked): object {
  const { kind, payload } = row;
  if (kind === null || payload === null) return { active: false };
  const isOfDocument = isAllowedDocument(payload.clientId ?? "", clientHosts);
  const isShared = isOfDocument
    ? row.isOfSameOrg && row.isIntrospector
    : row.isOfSameOwner && (payload.aud === undefined || row.isIntrospector);
  const mayIntrospect = payload.clientId === clientId || (row.authMethod !== "none" && isShared);
  if (!mayIntrospect) return { active: false };
  const { jkt } = payload;
  const type = kind === "RefreshToken" ? {} : { token_type: jkt === undefined ? "Bearer" : "DPoP" };
  // A JSON Web Token was found by the hash of the whole token, so these are the signed claims.
  const current = { roles: kind === "RefreshToken" ? undefined : (row.roles ?? undefined) };
  if (token.includes(".")) return { active: true, ...decodeJwt(token), ...current, ...type };
  const { accountId, exp, iat, sid, scope, extra } = payload;
  return {
    active: true,
    sub: row.subject ?? accountId,
    // `sub` of a machine user.
    ...extra,
    client_id: payload.clientId,
    exp,
    iat,
    sid,
    iss: issuer,
    aud: payload.aud,
    scope: scope || undefined,
    cnf: jkt === undefined ? undefined : { jkt },
    ...current,
    ...type,
  };
}

interface IntrospectedRow {
  readonly authMethod: Tables["apps"]["auth_method"];
  readonly secretHash: Buffer | null;
  /** Null if there is no such token. */
  readonly kind: string | null;
  readonly payload: AdapterPayload | null;
  readonly subject: string | null;
  /** Whether the application of the token is active, and has the owner of the one that asks. */
  readonly isOfSameOwner: boolean | null;
  /** Whether the user of the token is one of the organization that owns the application that asks. */
  readonly isOfSameOrg: boolean | null;
  /** Whether the API that the token is for lists the application that asks. */
  readonly isIntrospector: boolean | null;
  /** The roles of the token's user in its application; null if the application has none. */
  readonly roles: readonly string[] | null;
}

const TOKEN = { audience: sql`token.payload ->> 'aud'`, appId: APP_OF_TOKEN };
const CLIENT = { id: sql.ref("client.id"), ownerId: sql.ref("client.owner_id") };

/** By the id of the application that asks, and the SHA-256 of the token, created by `bytesToText`. */
const INTROSPECT = prepareLookUp<{ clientId: string; hash: string; now: Date }, IntrospectedRow>(
  "introspect",
  { clientId: "uuid", hash: "bytea", now: "timestamptz" },
  (asked) =>
    asked
      .innerJoin("apps as client", (join) => join.onRef("client.id", "=", "asked.clientId"))
      .leftJoinLateral(
        ({ selectFrom }) =>
          selectFrom("oidc_artifacts as token")
            .select([
              "token.kind",
              "token.payload",
              subjectOf(sql.ref("token.user_id")).as("subject"),
              sql<boolean>`exists (select from apps as other
              where other.id = ${APP_OF_TOKEN} and other.owner_id = client.owner_id and ${isActiveApp("other")})`.as(
                "isOfSameOwner",
              ),
              sql<boolean>`exists (select from users as member
              where member.id = token.user_id and member.org_id = client.owner_id)`.as("isOfSameOrg"),
              isIntrospector(TOKEN, CLIENT).as("isIntrospector"),
              rolesInApp(APP_OF_TOKEN, sql.ref("token.user_id")).as("roles"),
            ])
            .where(sql<boolean>`token.kind in ('AccessToken', 'RefreshToken', ${SERVICE_TOKEN})`)
            .where("token.key", "=", sql<Buffer>`asked.hash`)
            .where("token.consumed_at", "is", null)
            .where(isLiveToken(sql<Date>`asked.now`))
            .where(isInActiveOrg(sql.ref("token.user_id")))
            .limit(sql.lit(1))
            .as("found"),
        (join) => join.onTrue(),
      )
      .select(["client.auth_method as authMethod", "client.secret_hash as secretHash"])
      .selectAll("found")
      .where(isActiveApp("client")),
);
