import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { freePort } from "../test/support/free-port.ts";
import { PASSWORD } from "./people.ts";
import { type ServerProcess, startServer } from "./processes.ts";
import { connectRelyingParty, REDIRECT_URI, type RelyingParty } from "./relying-party.ts";

const REALM = "bench";

/**
 * Starts Keycloak in production mode, with its default password hash, on a database in the same PostgreSQL, and registers a
 * confidential application and users whose names are a prefix and a number from 0.
 *
 * @param folder The unpacked distribution.
 */
export async function startKeycloak(
  folder: string,
  databaseUrl: string,
  people: { readonly prefix: string; readonly count: number },
): Promise<{ readonly server: ServerProcess; readonly app: RelyingParty }> {
  const program = join(folder, "bin/kc.sh");
  const built = spawnSync(program, ["build", "--db=postgres"], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(`Keycloak cannot be built: ${built.stdout}${built.stderr}`);
  const port = await freePort();
  const { username, password, host, pathname } = new URL(databaseUrl);
  const publicUrl = `http://localhost:${port}`;
  const admin = { username: "admin", password: randomBytes(16).toString("hex") };
  const options = ["--http-enabled=true", `--http-port=${port}`, `--hostname=${publicUrl}`, "--cache=local"];
  const database = [`--db-url=jdbc:postgresql://${host}${pathname}`, `--db-username=${username}`];
  const server = await startServer(
    port,
    ["start", "--optimized", ...options, ...database, `--db-password=${password}`, "--db-pool-max-size=40"],
    { KC_BOOTSTRAP_ADMIN_USERNAME: admin.username, KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password },
    program,
  );
  const call = await signAdminIn(publicUrl, admin);
  const secret = randomBytes(32).toString("base64url");
  // By default, access tokens are over after five minutes, before the last round.
  await call("", { realm: REALM, enabled: true, accessTokenLifespan: 3_600 });
  await call(`/${REALM}/clients`, { clientId: "bench", secret, redirectUris: [REDIRECT_URI] });
  for (let index = 0; index < people.count; index++) {
    await call(`/${REALM}/users`, {
      ...{ username: `${people.prefix}${index}`, email: `${people.prefix}${index}@example.com`, emailVerified: true },
      ...{ firstName: "Ada", lastName: "Lovelace", enabled: true },
      credentials: [{ type: "password", value: PASSWORD, temporary: false }],
    });
  }
  return { server, app: connect(publicUrl, secret) };
}

/** Returns a function that creates an object below `/admin/realms`. */
async function signAdminIn(publicUrl: string, admin: { username: string; password: string }) {
  const post = async (path: string, headers: Record<string, string>, body: string) => {
    const response = await fetch(`${publicUrl}${path}`, { method: "POST", headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`Keycloak responded to ${path} with ${response.status}: ${text}`);
    return text;
  };
  const fields = new URLSearchParams({ grant_type: "password", client_id: "admin-cli", ...admin }).toString();
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const { access_token } = JSON.parse(await post("/realms/master/protocol/openid-connect/token", form, fields));
  const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
  return async (path: string, body: object) => {
    await post(`/admin/realms${path}`, headers, JSON.stringify(body));
  };
}

function connect(publicUrl: string, secret: string): RelyingParty {
  const base = `/realms/${REALM}/protocol/openid-connect`;
  return connectRelyingParty({
    ...{ id: "bench", secret, publicUrl },
    paths: {
      authorize: `${base}/auth`,
      token: `${base}/token`,
      userinfo: `${base}/userinfo`,
      introspection: `${base}/token/introspect`,
    },
    async submit(browser, authorizePath, user) {
      const { text } = await browser.open(authorizePath);
      const action = /<form[^>]* action="([^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
      if (action === undefined) throw new Error(`Keycloak shows no form: ${text.slice(0, 500)}`);
      return (await browser.open(action, { method: "POST", body: new URLSearchParams(user) })).location;
    },
  });
}
