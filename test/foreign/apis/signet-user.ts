import { createHash, randomBytes } from "node:crypto";
import { createPerson, type Page } from "../../support/browsers/person.ts";

/** A registered application. */
export interface App {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenType: string;
}

export interface User {
  readonly userId: string;
  readonly userName: string;
}

export interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

const PASSWORD = "analytical engine no. 1";
const REDIRECT_URI = "https://orders.example.com/callback";
let users = 0;

/** Manages a running service, and signs users in like a browser, by SIGNET_ADDRESS and SIGNET_TOKEN. */
export function createSignet() {
  const { SIGNET_ADDRESS = "", SIGNET_TOKEN = "" } = process.env;
  const origin = `http://${SIGNET_ADDRESS}`;
  const url = `http://localhost:${new URL(origin).port}`;

  async function call<Response>(path: string, body: object): Promise<Response> {
    const headers = { authorization: `Bearer ${SIGNET_TOKEN}`, "content-type": "application/json" };
    return readJson(await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) }));
  }

  function callAsApp(
    path: string,
    { clientId, clientSecret }: App,
    fields: Record<string, string>,
  ): Promise<globalThis.Response> {
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    return fetch(origin + path, { method: "POST", headers: { authorization }, body: new URLSearchParams(fields) });
  }

  /** Signs the user in on the page of an authorization request. Returns where the browser comes back to. */
  async function passSignIn({ userName }: User, request: URL): Promise<URL> {
    const person = createPerson({ origin, config: { publicUrl: url }, responses: [] });
    const isBack = (page: Page) => page.url.searchParams.has("code");
    let page = await person.submit(await person.open(request), { username: userName, password: PASSWORD });
    // The page that offers a passkey.
    if (!isBack(page)) page = await person.submit(page, { do: "later" });
    if (!isBack(page)) throw new Error(`the sign-in ended at ${page.url}: ${page.title}`);
    return page.url;
  }

  return {
    ...{ url, passSignIn },

    /** @param config Other fields of AddOIDCApp. */
    async addApp(name: string, tokenType: string, redirectUri = REDIRECT_URI, config: object = {}): Promise<App> {
      const { clientId, clientSecret } = await call<App>("/management/v1/apps/oidc", {
        ...{ name, redirectUris: [redirectUri], accessTokenType: tokenType, devMode: redirectUri.startsWith("http:") },
        postLogoutRedirectUris: [new URL("/", redirectUri).href],
        grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
        ...config,
      });
      return { clientId, clientSecret, tokenType };
    },

    /** @param settings Other fields of AddAPI. */
    async addApi(identifier: string, scopes: readonly string[], settings: object = {}): Promise<void> {
      await call("/management/v1/apis", { name: identifier, identifier, scopes, ...settings });
    },

    /** Registers an application that gets tokens for a machine user. */
    async addService(name: string): Promise<App> {
      const userName = `machine-${process.pid}-${++users}`;
      const { userId } = await call<{ userId: string }>("/management/v1/users/machine", { userName, name });
      const { clientId, clientSecret } = await call<App>("/management/v1/apps/oidc", {
        name,
        appType: "OIDC_APP_TYPE_SERVICE",
        serviceUserId: userId,
      });
      return { clientId, clientSecret, tokenType: "OIDC_TOKEN_TYPE_BEARER" };
    },

    async importUser(): Promise<User> {
      const userName = `ada-${process.pid}-${++users}`;
      const { userId } = await call<{ userId: string }>("/management/v1/users/human/_import", {
        userName,
        profile: { firstName: "Ada", lastName: "Lovelace" },
        email: { email: `${userName}@example.com`, isEmailVerified: true },
        password: PASSWORD,
      });
      return { userId, userName };
    },

    /**
     * Signs the user in with the password, and redeems the code.
     *
     * @param resource The identifier of an API that the access token is for.
     */
    async signIn(user: User, app: App, scope: string, resource?: string): Promise<Tokens> {
      const codeVerifier = randomBytes(32).toString("base64url");
      const request = new URL("/oauth/v2/authorize", url);
      request.search = new URLSearchParams({
        ...{ client_id: app.clientId, redirect_uri: REDIRECT_URI, response_type: "code", scope },
        code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
        ...{ code_challenge_method: "S256", ...(resource !== undefined && { resource }) },
      }).toString();
      const code = (await passSignIn(user, request)).searchParams.get("code") ?? "";
      const fields = {
        grant_type: "authorization_code",
        code,
        redirect_uri: REDIRECT_URI,
        code_verifier: codeVerifier,
        ...(resource !== undefined && { resource }),
      };
      return readJson(await callAsApp("/oauth/v2/token", app, fields));
    },

    /** Whether a token of the application is valid. */
    async isActive(app: App, token: string): Promise<boolean> {
      const response = await callAsApp("/oauth/v2/introspect", app, { token });
      return (await readJson<{ active: boolean }>(response)).active;
    },

    async revoke(app: App, token: string): Promise<void> {
      const response = await callAsApp("/oauth/v2/revoke", app, { token });
      if (!response.ok) throw new Error(`the revocation failed with status ${response.status}`);
    },
  };
}

async function readJson<Value>(response: globalThis.Response): Promise<Value> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return JSON.parse(text) as Value;
}
