/**
 * Checks an API that accepts access tokens, by introspection and by signature: `node check-api.ts <folder> <command…>`. The
 * command runs in the folder, with the arguments that the examples document. Reads the address of Signet from
 * SIGNET_ADDRESS, and an administrator's token from SIGNET_TOKEN.
 */
import { deepEqual, equal, match } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";
import { whileRunning } from "../while-running.ts";
import { type App, createSignet } from "./signet-user.ts";

const [folder = "", command = "", ...given] = process.argv.slice(2);
const signet = createSignet();

for (const mode of ["introspection", "signature"] as const) {
  const tokenType = mode === "signature" ? "OIDC_TOKEN_TYPE_JWT" : "OIDC_TOKEN_TYPE_BEARER";
  const introspector = await signet.addApp("Orders API", "OIDC_TOKEN_TYPE_BEARER");
  const app = await signet.addApp("Orders", tokenType);
  const identifier = `https://api.example.com/${randomUUID()}`;
  await signet.addApi(identifier, ["orders:read", "invoices:read"], { introspectorAppIds: [introspector.clientId] });
  const port = await freePort();
  const args = [...given, identifier, ...(mode === "signature" ? [] : [write(introspector, "introspector.json")])];
  const env = { ...process.env, SIGNET_URL: signet.url, API_PORT: String(port) };
  const url = `http://localhost:${port}`;
  await whileRunning({ command, args, options: { cwd: folder, env }, url }, () => check(url, mode, app, identifier));
  console.log(`${mode}: accepts access tokens for the API, and nothing else`);
}

async function check(origin: string, mode: "introspection" | "signature", app: App, identifier: string): Promise<void> {
  const user = await signet.importUser();
  const tokens = await signet.signIn(user, app, "openid offline_access orders:read", identifier);
  const get = async (path: string, token?: string, scheme = "Bearer") => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `${scheme} ${token}` };
    const response = await fetch(origin + path, { headers });
    return { status: response.status, challenge: response.headers.get("www-authenticate"), response };
  };

  const accepted = await get("/orders", tokens.access_token);
  equal(accepted.status, 200);
  deepEqual(await accepted.response.json(), { user: user.userId, orders: [] });
  equal((await get("/orders", tokens.access_token, "bearer")).status, 200);

  const missing = await get("/orders");
  equal(missing.status, 401);
  match(missing.challenge ?? "", /^Bearer/i);
  const otherApi = `${identifier}/other`;
  await signet.addApi(otherApi, ["orders:read"]);
  const other = await signet.signIn(user, app, "openid orders:read", otherApi);
  const own = await signet.signIn(user, app, "openid");
  const wrong = {
    "nothing valid": "nothing",
    "three parts": "e30.e30.e30",
    "a token of the API of Signet": process.env.SIGNET_TOKEN ?? "",
    "a token for another API": other.access_token,
    "a token for no API": own.access_token,
    "an ID token": tokens.id_token,
    "a refresh token": tokens.refresh_token,
    "another signature": `${tokens.access_token.slice(0, -8)}AAAAAAAA`,
  };
  for (const [title, token] of Object.entries(wrong)) {
    const { status, challenge } = await get("/orders", token);
    equal(status, 401, title);
    match(challenge ?? "", /^Bearer/i, title);
  }

  const narrow = await get("/invoices", tokens.access_token);
  equal(narrow.status, 403);
  // Authlib says so in the body only.
  match(`${narrow.challenge} ${await narrow.response.text()}`, /insufficient_scope/);
  const wide = await signet.signIn(user, app, "openid invoices:read", identifier);
  equal((await get("/invoices", wide.access_token)).status, 200);

  // Signatures are valid until the token expires, and Signet knows at once.
  await signet.revoke(app, tokens.access_token);
  equal((await get("/orders", tokens.access_token)).status, mode === "signature" ? 200 : 401);
}

function write(app: App, name: string): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ clientId: app.clientId, clientSecret: app.clientSecret }));
  return file;
}
