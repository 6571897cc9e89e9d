import { sql } from "kysely";
import type { AdapterPayload } from "oidc-provider";
import { APP_OF_TOKEN, isLiveToken } from "../access/live-token.ts";
import type { Clock } from "../clock.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { isActiveApp } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Exchange } from "../http/exchange.ts";
import { type AccountRow, CLAIMS, selectAccounts, toAccount } from "./accounts.ts";
import type { DirectResponse } from "./direct-response.ts";

interface UserinfoParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** Responds to the userinfo request (OpenID Connect Core 1.0, section 5.3) of an application's server. */
export function createDirectUserinfo({ db, clock }: UserinfoParts) {
  return async ({ method, query, headers }: Exchange): Promise<DirectResponse | undefined> => {
    const [, accessToken] = BEARER.exec(headers.authorization ?? "") ?? [];
    if (method !== "GET" || query !== "" || headers.origin !== undefined || accessToken === undefined) return undefined;
    if (headers.dpop !== undefined) return undefined;
    const [row] = await selectUserOfToken(db, { key: hashSecret(accessToken), now: clock() });
    if (row === undefined) return undefined;
    const { scope = "", claims, aud, jkt } = row.token;
    const scopes = scope.split(" ");
    // A token for an API is rejected, and so is one that is bound to a key, without a proof (RFC 9449, section 7.1).
    if (!scopes.includes("openid") || aud !== undefined || jkt !== undefined) return undefined;
    const requested = Object.entries((claims as RequestedClaims | undefined)?.userinfo ?? {});
    const names = new Set<string>(scopes.flatMap((name) => CLAIMS[name as keyof typeof CLAIMS] ?? []));
    for (const [name, value] of requested) if (typeof value === "object" && !Array.isArray(value)) names.add(name);
    const all = Object.entries(await toAccount(row).claims("userinfo", scope, {}, []));
    return { body: Object.fromEntries(all.filter(([name]) => names.has(name))), isAuthenticated: true };
  };
}

const BEARER = /^bearer ([!-~]+)$/i;

/** The parameter `claims` of the authorization request (OpenID Connect Core 1.0, section 5.5). */
interface RequestedClaims {
  readonly userinfo?: Readonly<Record<string, unknown>>;
}

type UserOfToken = AccountRow & { readonly token: AdapterPayload };

const selectUserOfToken = prepareStatement<{ key: Buffer; now: Date }, UserOfToken>((db, param) =>
  db
    .selectFrom("oidc_artifacts as token")
    // Without the limits, a plan created while the tables have few rows, and kept until they are analyzed, reads all.
    .innerJoinLateral(
      selectAccounts(db, APP_OF_TOKEN)
        .whereRef("users.id", "=", sql.ref("token.user_id"))
        .limit(sql.lit(1))
        .as("account"),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom("apps")
          .select("apps.id as appId")
          .where("apps.id", "=", APP_OF_TOKEN)
          .where(isActiveApp("apps"))
          .limit(sql.lit(1))
          .as("app"),
      (join) => join.onTrue(),
    )
    .selectAll("account")
    .select("token.payload as token")
    .where("token.kind", "=", sql.lit("AccessToken"))
    .where("token.key", "=", param("key", "bytea"))
    .where(isLiveToken(param("now", "timestamptz")))
    .$castTo<UserOfToken>(),
);
