import { sql } from "kysely";
import type { Account, AdapterPayload, KoaContextWithOIDC } from "oidc-provider";
import { APP_OF_TOKEN, isLiveToken } from "../access/live-token.ts";
import type { Clock } from "../clock.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { isActiveApp } from "../database/active.ts";
import { bytesToText } from "../database/command-list.ts";
import { prepareLookUp } from "../database/prepare-look-up.ts";
import type { RunTogether } from "../database/run-together.ts";
import type { Exchange } from "../http/exchange.ts";
import { type AccountRow, CLAIMS, selectAccounts, toAccount } from "./accounts.ts";

interface UserinfoParts {
  readonly runTogether: RunTogether;
  readonly clock: Clock;
}

/** Responds to the userinfo request (OpenID Connect Core 1.0, section 5.3) of an application's server. */
export function createDirectUserinfo({ runTogether, clock }: UserinfoParts) {
  return async ({ method, query, headers }: Exchange) => {
    const [, accessToken] = BEARER.exec(headers.authorization ?? "") ?? [];
    if (method !== "GET" || query !== "" || headers.origin !== undefined || accessToken === undefined) return undefined;
    if (headers.dpop !== undefined) return undefined;
    const row = await runTogether(FIND_USER_OF_TOKEN, { hash: bytesToText(hashSecret(accessToken)), now: clock() });
    if (row === undefined) return undefined;
    const { scope = "", claims, aud, jkt } = row.token;
    // A token for an API is rejected, and so is one that is bound to a key, without a proof (RFC 9449, section 7.1).
    if (!scope.split(" ").includes("openid") || aud !== undefined || jkt !== undefined) return undefined;
    return { body: await toUserinfo(toAccount(row), { scope, claims }), isAuthenticated: true };
  };
}

const BEARER = /^bearer ([!-~]+)$/i;

/** Provider middleware. Gives a request that oidc-provider has accepted the same response. */
export async function respondToUserinfo(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const { route, account, accessToken, params } = ctx.oidc ?? {};
  if (route !== "userinfo" || ctx.status !== 200 || account === undefined) return;
  // oidc-provider has checked that the token has the scope of the request.
  const scope = String(params?.scope || accessToken?.scope || "");
  ctx.body = await toUserinfo(account, { scope, claims: accessToken?.claims });
}

/** What a token grants. */
interface Granted {
  readonly scope: string;
  /** The parameter `claims` of the authorization request (OpenID Connect Core 1.0, section 5.5). */
  readonly claims: { readonly userinfo?: object | undefined } | undefined;
}

/** The claims of the scopes, and those that the application has requested by name. */
async function toUserinfo({ claims: allOf }: Account, { scope, claims }: Granted): Promise<object> {
  const names = new Set<string>(scope.split(" ").flatMap((name) => CLAIMS[name as keyof typeof CLAIMS] ?? []));
  const requested = Object.entries(claims?.userinfo ?? {});
  for (const [name, value] of requested) if (typeof value === "object" && !Array.isArray(value)) names.add(name);
  const all = Object.entries(await allOf("userinfo", scope, {}, []));
  return Object.fromEntries(all.filter(([name]) => names.has(name)));
}

type UserOfToken = AccountRow & { readonly token: AdapterPayload };

/** By the SHA-256 of the token, created by `bytesToText`. */
const FIND_USER_OF_TOKEN = prepareLookUp<{ hash: string; now: Date }, UserOfToken>(
  "find_user_of_token",
  { hash: "bytea", now: "timestamptz" },
  (asked, db) =>
    asked
      .innerJoin("oidc_artifacts as token", (join) =>
        join.on("token.kind", "=", sql.lit("AccessToken")).on("token.key", "=", sql<Buffer>`asked.hash`),
      )
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
      .where(isLiveToken(sql<Date>`asked.now`)),
);
