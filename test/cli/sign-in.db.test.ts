import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { request as sendRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import * as client from "openid-client";
import { type Address, connect } from "../../src/database/connection.ts";
import { createPerson, type Page, type Person } from "../support/browsers/person.ts";
import { human, IMPORT_PATH } from "../support/clients/send.ts";
import { DATABASE_KINDS, type DatabaseKind } from "../support/databases/database.ts";
import { freePort } from "../support/free-port.ts";
import { createProcesses, type Processes, readToken, type TestServer } from "../support/servers/process.ts";
import { until } from "../support/until.ts";
import { createSignetCommands, type SignetCommands } from "./signet-commands.ts";

const PASSWORD = "analytical engine no. 1";
const REDIRECT_URI = "https://app.example.com/callback";
const SCOPE = "openid email offline_access urn:signet:api";
const WORKERS = 2;
const NAMES = ["ada", "ben", "cleo", "dan"];

const hasOpenssl = (() => {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const title = "a sign-in over TLS, with processes";
(hasOpenssl ? describe.each(DATABASE_KINDS) : describe.skip.each(DATABASE_KINDS))(
  hasOpenssl ? `${title}, on %s` : `${title}, on %s (skipped: openssl is missing)`,
  (kind: DatabaseKind) => {
    let processes: Processes;
    let variables: Record<string, string>;
    let address: Address;
    let server: TestServer;
    let commands: SignetCommands;
    let configuration: client.Configuration;
    let origin: string;
    /** What one process stores is known to all others, so several processes serve PostgreSQL until the first restart. */
    let options = kind === "postgres" ? ["--workers", String(WORKERS)] : [];
    const trusted = getCACertificates("default");

    beforeAll(async () => {
      processes = createProcesses();
      processes.secret(PASSWORD);
      const [cert, key] = [join(processes.root, "cert.pem"), join(processes.root, "key.pem")];
      const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
      const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
      const files = ["-keyout", key, "-out", cert];
      execFileSync("openssl", ["req", "-x509", "-days", "2", ...curve, ...name, ...files], { stdio: "ignore" });
      setDefaultCACertificates([...trusted, readFileSync(cert, "utf8")]);
      const installation = await processes.createInstallation("sign-in", kind);
      address = installation.address;
      const port = String(await freePort());
      origin = `https://localhost:${port}`;
      variables = {
        ...installation.variables,
        PORT: port,
        PUBLIC_URL: origin,
        MASTER_KEY: randomBytes(32).toString("base64"),
        TLS_CERT_FILE: cert,
        TLS_KEY_FILE: key,
        PASSKEY_OFFER: "never",
        // The address of the application for back-channel logout.
        IDP_ALLOW_PRIVATE_NETWORKS: "true",
      };
      await start();
      const token = readToken(installation.tokenFile);
      const post = async (path: string, body: object) => {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const response = await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) });
        expect([path, response.status]).toEqual([path, 200]);
        // biome-ignore lint/suspicious/noExplicitAny: each call has a different response
        return (await response.json()) as any;
      };
      for (const userName of NAMES) {
        const { userId } = await post(IMPORT_PATH, { ...human(userName), password: PASSWORD });
        if (userName === "ada") await post("/management/v1/orgs/me/members", { userId, roles: ["ORG_VIEWER"] });
      }
      const app = await post("/management/v1/apps/oidc", {
        name: "Notes",
        redirectUris: [REDIRECT_URI],
        grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
        apiAccess: true,
      });
      processes.secret(app.clientSecret);
      configuration = await client.discovery(
        new URL(origin),
        app.clientId,
        undefined,
        client.ClientSecretBasic(app.clientSecret),
        {
          timeout: 120,
          execute: [client.enableNonRepudiationChecks],
        },
      );
    });
    afterAll(async () => {
      await processes.close();
      setDefaultCACertificates(trusted);
    });

    async function start(changes: Record<string, string> = {}): Promise<void> {
      variables = { ...variables, ...changes };
      commands = createSignetCommands(processes.runHere, variables);
      server = await processes.serve(variables, options);
      expect(server.origin).toBe(origin);
    }

    async function restart(changes?: Record<string, string>): Promise<void> {
      expect((await server.stop()).code).toBe(0);
      options = [];
      await start(changes);
    }

    const newPerson = () => createPerson({ origin, config: { publicUrl: origin }, responses: [] });

    async function newRequest(parameters: Record<string, string> = {}) {
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: REDIRECT_URI,
        scope: SCOPE,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
        state: expectedState,
        nonce: expectedNonce,
        ...parameters,
      });
      return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce } };
    }

    const enterPassword = (person: Person, page: Page, username: string) =>
      person.submit(page, { username, password: PASSWORD });

    async function signIn(person: Person, username: string) {
      const { url, checks } = await newRequest();
      const returned = await enterPassword(person, await person.open(url), username);
      return redeem(returned.url, checks);
    }

    async function redeem(callback: URL, checks: client.AuthorizationCodeGrantChecks) {
      const code = callback.searchParams.get("code") ?? "";
      expect(code).not.toBe("");
      const tokens = await client.authorizationCodeGrant(configuration, callback, checks);
      for (const secret of [code, tokens.access_token, String(tokens.refresh_token)]) processes.secret(secret);
      return tokens;
    }

    /** Whether the token calls an RPC. */
    async function calls(accessToken: string): Promise<boolean> {
      const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
      const init = { method: "POST", headers, body: "{}" };
      return (await fetch(`${origin}/management/v1/users/_search`, init)).status === 200;
    }

    async function publishedKeys(): Promise<JSONWebKeySet> {
      return (await (await fetch(`${origin}/oauth/v2/keys`)).json()) as JSONWebKeySet;
    }

    /** Asks for the user's claims over a new connection. Returns the process that answered with 200. */
    async function servedBy(accessToken: string): Promise<number> {
      const headers = { authorization: `Bearer ${accessToken}` };
      const request = sendRequest(`${origin}/oidc/v1/userinfo`, { agent: false, headers }).end();
      const [response] = await once(request, "response");
      expect(response.resume().statusCode).toBe(200);
      const id = `"requestId":"${response.headers["x-request-id"]}"`;
      const findLine = () => server.stderr().match(new RegExp(`^.*${id}.*\\n`, "m"))?.[0];
      return JSON.parse(await until(`a line has ${id}`, findLine)).pid;
    }

    test("users sign in at the same time, and every process knows their tokens", async () => {
      const tokens = await Promise.all([...NAMES, ...NAMES].map((userName) => signIn(newPerson(), userName)));
      expect(new Set(tokens.map((token) => token.claims()?.sub)).size).toBe(NAMES.length);
      for (const { access_token } of tokens) {
        const served = new Set<number>();
        // A process that is busy gets fewer connections than the others.
        await until("every process has answered", async () => {
          served.add(await servedBy(access_token));
          return served.size === (kind === "postgres" ? WORKERS : 1);
        });
      }
    });

    // test/server/start.db.test.ts tests that the rows of the embedded database survive a restart.
    const testOnPostgres = kind === "postgres" ? test : () => {};

    testOnPostgres("sign-ins, sessions and tokens survive restarts with new signing and master keys", async () => {
      const [person, absent, half] = [newPerson(), newPerson(), newPerson()];
      const before = await signIn(person, "ada");
      const sub = before.claims()?.sub ?? "";
      expect(before.claims()?.iss).toBe(origin);
      await signIn(absent, "ada");
      const begun = await newRequest();
      const page = await half.open(begun.url);
      const oldKids = (await publishedKeys()).keys.map(({ kid }) => kid);
      await commands.json("keys", "rotate-signing");

      const older = variables.MASTER_KEY ?? "";
      await restart({ MASTER_KEY: randomBytes(32).toString("base64"), MASTER_KEY_PREVIOUS: older });
      const returned = await enterPassword(half, page, "ada");
      const sessions = half.browser.jar().filter(([name]) => name.startsWith("__Host-signet-session"));
      expect(sessions).toHaveLength(2);
      const kids = (await publishedKeys()).keys.map(({ kid }) => kid);
      expect(kids).toHaveLength(2 * oldKids.length);
      expect(kids).toEqual(expect.arrayContaining(oldKids));
      expect(await signsIn(person)).toBe("code");
      expect(await commands.json("keys", "rotate")).toMatchObject({ stillNeeded: [] });

      // Without the older key, a cookie that no request has renewed is not valid. Everything else continues.
      const { MASTER_KEY_PREVIOUS: _, ...others } = variables;
      variables = others;
      await restart();
      expect((await redeem(returned.url, begun.checks)).claims()?.sub).toBe(sub);
      expect(await signsIn(person)).toBe("code");
      expect(await signsIn(absent)).toBe("login_required");
      await jwtVerify(String(before.id_token), createLocalJWKSet(await publishedKeys()), { issuer: origin });
      expect(await calls(before.access_token)).toBe(true);
      expect(await client.fetchUserInfo(configuration, before.access_token, sub)).toMatchObject({ sub });
      const refreshed = await client.refreshTokenGrant(configuration, String(before.refresh_token));
      for (const secret of [refreshed.access_token, String(refreshed.refresh_token)]) processes.secret(secret);
      expect(await calls(refreshed.access_token)).toBe(true);
      expect((await signIn(absent, "ada")).claims()?.sub).toBe(sub);
    });

    /** The response to a request that must not show a page. */
    async function signsIn(person: Person): Promise<string> {
      const { searchParams } = (await person.open((await newRequest({ prompt: "none" })).url)).url;
      return searchParams.get("error") ?? (searchParams.has("code") ? "code" : "neither");
    }

    test("`user sessions` lists the sessions of a user, and ends some or all", async () => {
      const [first, second] = [await signIn(newPerson(), "cleo"), await signIn(newPerson(), "cleo")];
      const sessions = async () => (await commands.json("user", "sessions", "cleo")).result ?? [];
      const listed = await sessions();
      expect(listed.length).toBeGreaterThanOrEqual(2);
      expect(listed[0]).toMatchObject({ id: expect.any(String), methods: ["pwd"], appIds: [expect.any(String)] });
      const { stdout } = await commands.signet("user", "sessions", "cleo");
      expect(stdout).toMatch(/^ID +SIGNED IN +LAST SEEN +METHODS +APPS +BROWSER\n/);
      expect(stdout.trimEnd().split("\n")).toHaveLength(listed.length + 1);

      const id = listed[0].id;
      const ended = await commands.signet("user", "sessions", "cleo", "--end", id, "--yes");
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ended 1 of the sessions of cleo \(/) });
      expect((await sessions()).map((session: { id: string }) => session.id)).toEqual(
        listed.slice(1).map((session: { id: string }) => session.id),
      );
      await commands.json("user", "sessions", "cleo", "--end-all", "--yes");
      expect(await sessions()).toEqual([]);
      expect([await calls(first.access_token), await calls(second.access_token)]).toEqual([false, false]);
    });

    test("`user erase` and `otp remove` notify the applications of the user's sessions", async () => {
      const received: string[] = [];
      const app = createServer(async (request, response) => {
        let body = "";
        for await (const chunk of request) body += chunk;
        received.push(new URLSearchParams(body).get("logout_token") ?? "");
        response.end();
      });
      await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
      const { port } = app.address() as AddressInfo;
      const db = connect(address, 1, () => {});
      const { client_id } = configuration.clientMetadata();
      const uri = ["--back-channel-logout-uri", `http://127.0.0.1:${port}/`, "--dev-mode"];
      await commands.json("app", "update", client_id, ...uri);
      const signInAs = async (userName: string) => String((await signIn(newPerson(), userName)).claims()?.sub);
      const [ben, cleo] = [await signInAs("ben"), await signInAs("cleo")];
      const [otp_code, otp_code_key] = [
        Buffer.of(1),
        (await db.selectFrom("master_keys").select("id").executeTakeFirstOrThrow()).id,
      ];
      await db.updateTable("users").set({ otp_code, otp_code_key }).where("id", "in", [ben, cleo]).execute();

      await commands.json("user", "erase", ben, "--yes");
      await commands.json("otp", "remove", cleo, "--org", "default");
      const keys = createLocalJWKSet(await publishedKeys());
      const tokens = await Promise.all(received.map((token) => jwtVerify(token, keys, { issuer: origin })));
      expect(new Set(tokens.map(({ payload }) => payload.sub))).toEqual(new Set([ben, cleo]));

      const dan = await signInAs("dan");
      await new Promise((resolve) => app.close(resolve));
      const { code, stderr } = await commands.signet("user", "erase", dan, "--yes");
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringMatching(/^(signet: could not notify application [\w-]+ of the end of a session: .*\n)+$/),
      });
      await db.destroy();
    });
  },
);
