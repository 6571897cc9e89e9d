import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";
import { createId, hashSecret } from "../src/crypto/secrets.ts";
import { type Browser, createBrowser } from "../test/support/browsers/browser.ts";
import { sendRequest } from "./send-request.ts";

/** An application that signs users in, without checks that take client time. */
export interface RelyingParty {
  /** Signs a user in with the page, and redeems the code. Returns the browser, which has a session. */
  signIn(port: number, username: string, password: string): Promise<Browser>;
  /** Signs in the user of an active session: an authorization request and a token request. Returns the tokens. */
  signInAgain(port: number, browser: Browser, scope?: string): Promise<Tokens>;
  /** Returns the next tokens. */
  refresh(port: number, refreshToken: string): Promise<Tokens>;
  readUser(port: number, accessToken: string): Promise<void>;
  introspect(port: number, token: string): Promise<void>;
}

export interface Tokens {
  readonly access_token: string;
  /** Only for the scope `offline_access`. */
  readonly refresh_token?: string;
}

/** A registered application, and how its provider signs users in. */
export interface Registration {
  readonly id: string;
  readonly secret: string;
  /** Where browsers find the provider; the requests go to the port of the call. */
  readonly publicUrl: string;
  readonly paths: Readonly<Record<"authorize" | "token" | "userinfo" | "introspection", string>>;
  /** Submits the sign-in page to which an authorization request leads. Returns the address with the code. */
  submit(browser: Browser, authorizePath: string, user: { username: string; password: string }): Promise<string>;
}

export const REDIRECT_URI = "https://app.example.com/callback";

/** Registers an application of Signet in the organization `default`. */
export async function createRelyingParty(client: pg.Client): Promise<RelyingParty> {
  const [id, secret] = [createId(), randomBytes(32).toString("base64url")];
  await client.query(
    `insert into apps (owner_id, id, sequence, created_at, changed_at, name, type, auth_method, secret_hash, grant_types,
       redirect_uris, post_logout_redirect_uris, additional_origins, access_token_type, dev_mode)
     select id, $1, 1, now(), now(), 'Bench', 'web', 'basic', $2, '{authorization_code,refresh_token}', $3, '{}', '{}',
       'opaque', false
     from orgs where name = 'default'`,
    [id, hashSecret(secret), [REDIRECT_URI]],
  );
  return connectRelyingParty({
    ...{ id, secret },
    publicUrl: "http://localhost:8080",
    paths: {
      authorize: "/oauth/v2/authorize",
      token: "/oauth/v2/token",
      userinfo: "/oidc/v1/userinfo",
      introspection: "/oauth/v2/introspect",
    },
    async submit(browser, authorizePath, user) {
      // Attempts are limited by network.
      const headers = { "x-forwarded-for": `10.${[...randomBytes(3)].join(".")}` };
      const page = (await browser.open(authorizePath, { headers })).location;
      const { text } = await browser.open(page, { headers });
      const token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? "";
      const body = new URLSearchParams({ token, ...user });
      const proved = await browser.open(page, { method: "POST", headers: { ...headers, origin: "null" }, body });
      return (await browser.open(proved.location, { headers })).location;
    },
  });
}

export function connectRelyingParty(registration: Registration): RelyingParty {
  const { id, secret, publicUrl, paths } = registration;
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

  function newRequest(scope = "openid") {
    const verifier = randomBytes(32).toString("base64url");
    const query = new URLSearchParams({
      client_id: id,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
      scope,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      state: "state",
      nonce: "nonce",
    });
    return { verifier, path: `${paths.authorize}?${query}` };
  }

  async function post(port: number, path: string, fields: Record<string, string>): Promise<unknown> {
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
    return await sendRequest(port, { method: "POST", path, headers, body: new URLSearchParams(fields).toString() });
  }

  async function redeem(port: number, callback: string, code_verifier: string): Promise<Tokens> {
    const code = new URL(callback).searchParams.get("code");
    if (code === null) throw new Error(`there is no code in ${callback}`);
    const fields = { grant_type: "authorization_code", code, code_verifier, redirect_uri: REDIRECT_URI };
    return (await post(port, paths.token, fields)) as Tokens;
  }

  return {
    async signIn(port, username, password) {
      const browser = createBrowser(`http://127.0.0.1:${port}`, publicUrl);
      const { verifier, path } = newRequest();
      await redeem(port, await registration.submit(browser, path, { username, password }), verifier);
      return browser;
    },
    async signInAgain(port, browser, scope) {
      const { verifier, path } = newRequest(scope);
      return await redeem(port, (await browser.open(path)).location, verifier);
    },
    async refresh(port, refresh_token) {
      return (await post(port, paths.token, { grant_type: "refresh_token", refresh_token })) as Tokens;
    },
    async readUser(port, accessToken) {
      const headers = { authorization: `Bearer ${accessToken}` };
      await sendRequest(port, { method: "GET", path: paths.userinfo, headers });
    },
    async introspect(port, token) {
      const { active } = (await post(port, paths.introspection, { token })) as { active?: boolean };
      if (active !== true) throw new Error("the token is not active");
    },
  };
}
