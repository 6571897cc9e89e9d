/**
 * Checks an API that accepts access tokens, by introspection and by signature: `node check-api.ts <folder> <command…>`. The
 * command runs in the folder, with the arguments that the examples document. Reads the address of Signet from
 * SIGNET_ADDRESS, and an administrator's token from SIGNET_TOKEN.
 */
import { deepEqual, equal, match } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";
import { type App, createSignet } from "./signet-user.ts";

const [folder = "", command = "", ...given] = process.argv.slice(2);
const signet = createSignet();

for (const mode of ["introspection", "jwt"] as const) {
  const tokenType = mode === "jwt" ? "OIDC_TOKEN_TYPE_JWT" : "OIDC_TOKEN_TYPE_BEARER";
  const api = await signet.addApp("Orders API", "OIDC_TOKEN_TYPE_BEARER");
  const app = await signet.addApp("Orders", tokenType);
  const port = await freePort();
  const files = mode === "jwt" ? [app] : [api, app];
  const args = [...given, mode, ...files.map((each, index) => write(each, `${mode}-${index}.json`))];
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, SIGNET_URL: signet.url, API_PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    await listening(child.stdout);
    await check(`http://localhost:${port}`, mode, app);
    console.log(`${mode}: accepts the access tokens of its application, and nothing else`);
  } finally {
    child.kill();
    await ended;
  }
}

async function check(origin: string, mode: "introspection" | "jwt", app: App): Promise<void> {
  const user = await signet.importUser();
  const tokens = await signet.signIn(user, app, "openid offline_access");
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
  const other = await signet.signIn(user, await signet.addApp("Other", app.tokenType), "openid");
  const wrong = {
    "nothing valid": "nothing",
    "three parts": "e30.e30.e30",
    "a token of the API of Signet": process.env.SIGNET_TOKEN ?? "",
    "a token of another application": other.access_token,
    "an ID token": tokens.id_token,
    "a refresh token": tokens.refresh_token,
    "another signature": `${tokens.access_token.slice(0, -8)}AAAAAAAA`,
  };
  for (const [title, token] of Object.entries(wrong)) {
    const { status, challenge } = await get("/orders", token);
    equal(status, 401, title);
    match(challenge ?? "", /^Bearer/i, title);
  }

  const narrow = await get("/profile", tokens.access_token);
  equal(narrow.status, 403);
  // Authlib says so in the body only.
  match(`${narrow.challenge} ${await narrow.response.text()}`, /insufficient_scope/);
  const wide = await signet.signIn(user, app, "openid profile");
  equal((await get("/profile", wide.access_token)).status, 200);

  // Signatures are valid until the token expires, and Signet knows at once.
  await signet.revoke(app, tokens.access_token);
  equal((await get("/orders", tokens.access_token)).status, mode === "jwt" ? 200 : 401);
}

function write(app: App, name: string): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ clientId: app.clientId, clientSecret: app.clientSecret }));
  return file;
}

/** Waits until the API says that it listens, and reads on, so that it can print more. */
function listening(output: NodeJS.ReadableStream): Promise<void> {
  let printed = "";
  return new Promise((resolve, reject) => {
    output.on("data", (chunk) => {
      printed += chunk;
      if (printed.includes("listening on")) resolve();
    });
    output.once("end", () => reject(new Error(`the API has ended: ${printed}`)));
  });
}
