import { type AliasableExpression, type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import { isActiveApp, isActiveUser } from "../database/active.ts";
import { createCommandList, isExpectedOnce, type Numbered } from "../database/command-list.ts";
import { isTokenValid } from "../database/confirm-callers.ts";
import { prepareListRead } from "../database/prepare-list.ts";
import type { CommandKind } from "../database/run-together.ts";
import type { Tables } from "../database/tables.ts";
import { APP_OF_TOKEN, isLiveToken, SERVICE_TOKEN } from "./live-token.ts";

/** A known token, and its user. */
export interface PrincipalRow {
  /** False for a token that was revoked or has expired, or whose user is deactivated or locked. */
  is_valid: boolean;
  /** The id of a personal access token; null for an application's access token. */
  token_id: string | null;
  user_id: string;
  org_id: string;
  instance_id: string;
  org_exists: boolean;
  instance_roles: string[];
  org_roles: string[];
  /** The instance and organizations in which the token carries the roles of its user; null for all. */
  role_scopes: string[] | null;
}

/** A token and the requested organization; null for the user's own organization. */
export interface TokenLookup {
  /** SHA-256 of the token, created by `hexToText`. */
  readonly hash: string;
  readonly orgId: string | null;
  readonly now: Date;
}

const COMMANDS = createCommandList<TokenLookup>({ hash: "bytea", orgId: "uuid", now: "timestamptz" });

/** The scope of access tokens that may call the RPCs. */
export const API_SCOPE = "urn:signet:api";

/** The user of a token, and the lookup that contains the token. */
interface Holder extends Numbered {
  orgId: string | null;
  org_id: string;
  user_id: string;
  token_id: string | null;
  is_valid: boolean;
  /** The owner of the application that has the token; null for a personal access token. */
  app_owner_id: string | null;
  /** Whether the token has only the roles in the user's organization. */
  is_own_org_only: boolean;
}

type WithAsked = Kysely<Tables & { asked: TokenLookup & Numbered }>;

/** Personal access tokens. */
function holdersOfTokens(db: WithAsked) {
  return db
    .selectFrom("asked")
    .innerJoin("tokens", (join) => join.on("tokens.hash", "=", sql<Buffer>`asked.hash`))
    .innerJoin("users", (join) =>
      join.onRef("users.org_id", "=", "tokens.org_id").onRef("users.id", "=", "tokens.user_id"),
    )
    .where(isExpectedOnce)
    .select(["asked.number", "asked.orgId", "users.org_id", "users.id as user_id"])
    .select([
      sql<string | null>`tokens.id`.as("token_id"),
      isTokenValid(sql<Date>`asked.now`).as("is_valid"),
      sql<string | null>`null::uuid`.as("app_owner_id"),
      sql<boolean>`false`.as("is_own_org_only"),
    ]);
}

/**
 * Whether an organization's provider has confirmed the user of a session. Anyone who controls the provider can sign in
 * as its linked users, and must not get their roles outside of the organization. `fed` is in `amr` after each sign-in with
 * a provider; sessions of earlier versions do not have its owner.
 */
function isOfOrgIdp(payload: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${payload} -> 'amr' @> '["fed"]' and ${payload} ->> 'idpOwner' is distinct from 'instance')`;
}

/**
 * Access tokens of applications for the RPCs. A token is invalid once what it is based on ends (`isLiveToken`), and
 * while the application is deactivated or has no API access. One that is bound to a key is no bearer token (RFC 9449,
 * section 7.1), and the RPCs accept no proofs. One for the machine user of an application has only the roles in the
 * application's organization, as if without a session.
 */
function holdersOfAccessTokens(db: WithAsked) {
  return db
    .selectFrom("asked")
    .innerJoin("oidc_artifacts as token", (join) =>
      join
        .on(sql<boolean>`token.kind in ('AccessToken', ${SERVICE_TOKEN})`)
        .on("token.key", "=", sql<Buffer>`asked.hash`),
    )
    .innerJoin("users", (join) => join.onRef("users.id", "=", "token.user_id"))
    .leftJoin("apps", (join) => join.on("apps.id", "=", APP_OF_TOKEN))
    .where(isExpectedOnce)
    .where(sql<boolean>`${sql.lit(API_SCOPE)} = any(string_to_array(token.payload ->> 'scope', ' '))`)
    .select(["asked.number", "asked.orgId", "users.org_id", "users.id as user_id"])
    .select([
      sql<string | null>`null::uuid`.as("token_id"),
      sql<boolean>`(${isActiveUser("users")} and ${isLiveToken(sql`asked.now`)} and not token.payload ? 'jkt'
        and coalesce(${isActiveApp("apps")} and apps.api_access, false))`.as("is_valid"),
      "apps.owner_id as app_owner_id",
      sql<boolean>`coalesce((
        select bool_or(${isOfOrgIdp(sql`session.payload`)}) from oidc_artifacts as session
        where session.kind = 'Session' and session.session_uid = token.session_uid
          and session.user_id = token.user_id), true)`.as("is_own_org_only"),
    ]);
}

const TARGET_ORG = sql<string>`coalesce(holder."orgId", holder.org_id)`;

/** An organization's application must not act outside of the organization. */
function rolesIn(scope: RawBuilder<string>): RawBuilder<string[]> {
  return sql`array(
    select role from members
    where members.user_org_id = holder.org_id and members.user_id = holder.user_id and members.scope_id = ${scope}
      and (holder.app_owner_id is null or holder.app_owner_id = instance.id or holder.app_owner_id = ${scope})
      and (not holder.is_own_org_only or ${scope} = holder.org_id))`;
}

/** The scopes in which `rolesIn` can find roles; null for all. */
const ROLE_SCOPES = sql<string[] | null>`(case
  when holder.app_owner_id is null or holder.app_owner_id = instance.id
    then case when holder.is_own_org_only then array[holder.org_id::text] end
  when holder.is_own_org_only and holder.app_owner_id <> holder.org_id then '{}'::text[]
  else array[holder.app_owner_id::text] end)`;

/** Prepares a lookup of tokens, with the roles of their users in the instance and in the requested organizations. */
function prepareFindPrincipal(
  name: string,
  holders: (db: WithAsked) => AliasableExpression<Holder>,
): CommandKind<TokenLookup, PrincipalRow> {
  const statement = prepareListRead<TokenLookup, PrincipalRow & Numbered>(COMMANDS, (db, asked) =>
    db
      .with("asked", () => asked)
      .selectFrom((eb) => holders(eb as never).as("holder"))
      // There is only one instance. Without the limit, the planner expects more, and reads all organizations for
      // `exists`.
      .innerJoin(
        ({ selectFrom }) => selectFrom("instance").select("id").limit(sql.lit(1)).as("instance"),
        (join) => join.onTrue(),
      )
      .select((eb) => {
        return [
          "holder.number",
          "holder.is_valid",
          "holder.token_id",
          "holder.user_id",
          "holder.org_id",
          "instance.id as instance_id",
          eb
            .exists(
              eb
                .selectFrom("orgs")
                .select("orgs.id")
                .where("orgs.id", "=", TARGET_ORG)
                .where("orgs.removed_at", "is", null),
            )
            .$castTo<boolean>()
            .as("org_exists"),
          rolesIn(sql<string>`instance.id`).as("instance_roles"),
          rolesIn(TARGET_ORG).as("org_roles"),
          ROLE_SCOPES.as("role_scopes"),
        ];
      }),
  );
  return {
    name,
    list: COMMANDS,
    statement,
    toGroup: () => "",
    toKeys: ({ hash, orgId }) => [`${hash} ${orgId}`],
    isReading: true,
  };
}

/** The user of a personal access token. Resolves to undefined for an unknown token. */
export const FIND_TOKEN_PRINCIPAL = prepareFindPrincipal("find_token", holdersOfTokens);

/**
 * The user of an access token for the RPCs. Resolves to undefined for an unknown token, or one without the API scope.
 */
export const FIND_ACCESS_TOKEN_PRINCIPAL = prepareFindPrincipal("find_access_token", holdersOfAccessTokens);
