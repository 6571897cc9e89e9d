import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";
import { createId, hashSecret } from "../src/crypto/secrets.ts";
import { type Browser, createBrowser } from "../test/support/browser.ts";

/** An application that signs users in, without checks that take client time. */
export interface RelyingParty {
  /** Signs a user in with the page, and redeems the code. Returns the browser, which has a session. */
  signIn(port: number, username: string, password: string): Promise<Browser>;
  /** Signs in the user of an active session: an authorization request and a token request. */
  signInAgain(port: number, browser: Browser): Promise<void>;
}

const PUBLIC_URL = "http://localhost:8080";
const REDIRECT_URI = "https://app.example.com/callback";

/** Registers the application in the organization `default`. */
export async function createRelyingParty(client: pg.Client): Promise<RelyingParty> {
  const [id, secret] = [createId(), randomBytes(32).toString("base64url")];
  await client.query(
    `insert into apps (owner_id, id, sequence, created_at, changed_at, name, type, auth_method, secret_hash, grant_types,
       redirect_uris, post_logout_redirect_uris, additional_origins, access_token_type, dev_mode)
     select id, $1, 1, now(), now(), 'Bench', 'web', 'basic', $2, '{authorization_code}', $3, '{}', '{}', 'opaque', false
     from orgs where name = 'default'`,
    [id, hashSecret(secret), [REDIRECT_URI]],
  );
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

  function newRequest() {
    const verifier = randomBytes(32).toString("base64url");
    const query = new URLSearchParams({
      client_id: id,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
      scope: "openid",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      state: "state",
      nonce: "nonce",
    });
    return { verifier, path: `/oauth/v2/authorize?${query}` };
  }

  async function redeem(port: number, callback: string, verifier: string): Promise<void> {
    const code = new URL(callback).searchParams.get("code");
    if (code === null) throw new Error(`there is no code in ${callback}`);
    const response = await fetch(`http://127.0.0.1:${port}/oauth/v2/token`, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        code_verifier: verifier,
        redirect_uri: REDIRECT_URI,
      }),
    });
    const { id_token } = (await response.json()) as { id_token?: string };
    if (id_token === undefined) throw new Error(`the code was refused with status ${response.status}`);
  }

  return {
    async signIn(port, username, password) {
      const browser = createBrowser(`http://127.0.0.1:${port}`, PUBLIC_URL);
      const headers = { "x-forwarded-for": `10.${[...randomBytes(3)].join(".")}` };
      const { verifier, path } = newRequest();
      const page = (await browser.open(path, { headers })).location;
      const { text } = await browser.open(page, { headers });
      const token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? "";
      const form = new URLSearchParams({ token, username, password });
      const sent = { method: "POST", headers: { ...headers, origin: "null" }, body: form };
      const proved = await browser.open(page, sent);
      const { location } = await browser.open(proved.location, { headers });
      await redeem(port, location, verifier);
      return browser;
    },
    async signInAgain(port, browser) {
      const { verifier, path } = newRequest();
      await redeem(port, (await browser.open(path)).location, verifier);
    },
  };
}
