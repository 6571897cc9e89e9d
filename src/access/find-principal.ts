import { type AliasableExpression, type Kysely, sql } from "kysely";
import { createCommandList, isExpectedOnce, type ListValues, type Numbered } from "../database/command-list.ts";
import { isTokenValid } from "../database/confirm-callers.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { CommandKind } from "../database/run-together.ts";
import type { Tables } from "../database/tables.ts";

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
    ]);
}

/** The client id of the account page is not a UUID. */
const UUID_OF_CLIENT = sql<string | null>`case when length(token.client_id) = 36 then token.client_id::uuid end`;

/**
 * Access tokens of applications for the RPCs. A token is invalid once its grant ends, or the session that it is bound
 * to, and while the application is deactivated.
 */
function holdersOfAccessTokens(db: WithAsked) {
  return db
    .selectFrom("asked")
    .innerJoin("oidc_artifacts as token", (join) =>
      join.on("token.kind", "=", sql.lit("AccessToken")).on("token.key", "=", sql<Buffer>`asked.hash`),
    )
    .innerJoin("users", (join) => join.onRef("users.id", "=", "token.user_id"))
    .leftJoin("apps", (join) => join.on("apps.id", "=", UUID_OF_CLIENT))
    .where(isExpectedOnce)
    .where(sql<boolean>`${sql.lit(API_SCOPE)} = any(string_to_array(token.payload ->> 'scope', ' '))`)
    .select(["asked.number", "asked.orgId", "users.org_id", "users.id as user_id"])
    .select([
      sql<string | null>`null::uuid`.as("token_id"),
      sql<boolean>`(users.state = 'active' and token.expires_at > asked.now
        and exists (select from oidc_artifacts as granted
          where granted.kind = 'Grant' and granted.key = token.grant_key and granted.expires_at > asked.now)
        and (token.payload ->> 'expiresWithSession' is distinct from 'true'
          or exists (select from oidc_artifacts as session
            where session.kind = 'Session' and session.session_uid = token.session_uid
              and session.user_id = token.user_id and session.expires_at > asked.now))
        and coalesce(apps.state = 'active', false))`.as("is_valid"),
      "apps.owner_id as app_owner_id",
    ]);
}

/** Prepares a lookup of tokens, with the roles of their users in the instance and in the requested organizations. */
function prepareFindPrincipal(
  name: string,
  holders: (db: WithAsked) => AliasableExpression<Holder>,
): CommandKind<TokenLookup, PrincipalRow> {
  const statement = prepareStatement<ListValues, PrincipalRow & Numbered>((db, param) =>
    db
      .with("asked", () => COMMANDS.rows(param("commands", "jsonb")))
      .selectFrom((eb) => holders(eb as never).as("holder"))
      // There is only one instance. Without the limit, the planner expects more, and reads all organizations for
      // `exists`.
      .innerJoin(
        ({ selectFrom }) => selectFrom("instance").select("id").limit(sql.lit(1)).as("instance"),
        (join) => join.onTrue(),
      )
      .select((eb) => {
        const targetOrg = () => sql<string>`coalesce(holder."orgId", holder.org_id)`;
        const rolesIn = (scope: ReturnType<typeof targetOrg>) =>
          sql<string[]>`array(${eb
            .selectFrom("members")
            .select("role")
            .whereRef("members.user_org_id", "=", "holder.org_id")
            .whereRef("members.user_id", "=", "holder.user_id")
            .where("members.scope_id", "=", scope)
            // An organization's application must not act outside of the organization.
            .where(
              sql<boolean>`(holder.app_owner_id is null or holder.app_owner_id = instance.id
                or holder.app_owner_id = ${scope})`,
            )})`;
        return [
          "holder.number",
          "holder.is_valid",
          "holder.token_id",
          "holder.user_id",
          "holder.org_id",
          "instance.id as instance_id",
          eb
            .exists(eb.selectFrom("orgs").select("orgs.id").where("orgs.id", "=", targetOrg()))
            .$castTo<boolean>()
            .as("org_exists"),
          rolesIn(sql<string>`instance.id`).as("instance_roles"),
          rolesIn(targetOrg()).as("org_roles"),
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
