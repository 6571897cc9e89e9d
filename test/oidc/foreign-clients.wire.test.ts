import { execFileSync, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request as sendRequest } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createPerson } from "../support/browsers/person.ts";
import { call, importAda, VISITED } from "../support/browsers/visitor.ts";
import { freePort } from "../support/free-port.ts";
import { createTestApp, REDIRECT_URI } from "../support/oidc/apps.ts";
import { createRelyingParty, type RelyingParty } from "../support/oidc/relying-party.ts";
import { type LocalhostProxy, startLocalhostProxy } from "../support/servers/localhost-proxy.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

const PASSWORD = "analytical engine no. 1";
const APACHE = "/usr/sbin/apache2";
const MODULES = "/usr/lib/apache2/modules";
const hasApache = existsSync(APACHE) && existsSync(join(MODULES, "mod_auth_openidc.so"));
/** A Python that has Authlib. */
const python = ["/usr/bin/python3", "python3"].find((command) => {
  try {
    execFileSync(command, ["-c", "import authlib, requests"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
});

/** A test that needs a program; skipped with a note if it is missing. */
const testWith = (program: string, isInstalled: boolean, title: string, run: () => Promise<void>) =>
  isInstalled ? test(title, run) : test.skip(`${title} (skipped: ${program} is missing)`, run);

/**
 * A browser that keeps cookies and sends navigation headers, because the site rejects other requests and `fetch` cannot
 * send them.
 */
function createSiteVisitor(origin: string): (path: string) => Promise<IncomingMessage> {
  const cookies = new Map<string, string>();
  return async (path) => {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const headers = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", cookie };
    const request = sendRequest(new URL(path, origin), { headers, agent: false }).end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.resume();
    for (const header of response.headers["set-cookie"] ?? []) {
      const [name = "", value = ""] = (header.split(";", 1)[0] ?? "").split(/=(.*)/s);
      if (value === "" || /expires=thu, 01 jan 1970/i.test(header)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
}

describe("clients from other projects", () => {
  let service: TestService;
  let gate: LocalhostProxy;
  let userId: string;

  beforeAll(async () => {
    // The clients need an address at which they reach the service, before it listens on any.
    gate = await startLocalhostProxy();
    service = await startService("postgres", { ...VISITED, PUBLIC_URL: gate.origin });
    gate.target.port = service.port;
    service.secret(PASSWORD);
    const email = { email: "ada@example.com", isEmailVerified: true };
    userId = await importAda(service, { userName: "ada", password: PASSWORD, email });
  });
  afterAll(async () => {
    gate?.server.close();
    await service?.close();
  });

  /** Signs in at an authorization URL. Returns the callback. */
  async function signIn(url: string): Promise<string> {
    const person = createPerson(service);
    return (await person.submit(await person.open(url), { username: "ada", password: PASSWORD })).url.href;
  }

  testWith(
    "libapache2-mod-auth-openidc",
    hasApache,
    "Apache's mod_auth_openidc signs in, signs out, and is notified",
    async () => {
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      const { appId, clientSecret } = await createTestApp(service, service.instanceId, {
        redirectUris: [`${origin}/callback`],
        postLogoutRedirectUris: [`${origin}/public/`],
        backChannelLogoutUri: `http://127.0.0.1:${port}/callback?logout=backchannel`,
      });
      const app = { id: appId, secret: clientSecret };
      const folder = writeApacheFiles(port, app);
      const apache = spawn(APACHE, ["-f", join(folder, "apache.conf"), "-DFOREGROUND"], { stdio: "inherit" });
      const ended = once(apache, "exit");
      try {
        await until("Apache listens", async () => {
          if (apache.exitCode !== null) throw new Error(`Apache ended with ${apache.exitCode}`);
          return (await fetch(`${origin}/public/`).catch(() => undefined))?.ok;
        });
        const open = createSiteVisitor(origin);
        const isSignedIn = async () => (await open("/")).statusCode === 200;
        /** Signs in, and follows the redirect from the callback to the page. */
        const enter = async () => {
          const callback = await signIn((await open("/")).headers.location ?? "");
          return open((await open(callback)).headers.location ?? "");
        };

        const page = await enter();
        expect(page.statusCode).toBe(200);
        expect(page.headers).toMatchObject({ "x-remote-user": userId, "x-email": "ada@example.com" });
        expect(await isSignedIn()).toBe(true);

        // The site signs out at Signet, with an `id_token_hint`.
        const { headers } = await open(`/callback?logout=${encodeURIComponent(`${origin}/public/`)}`);
        expect(headers.location).toContain("/oidc/v1/end_session?");
        expect(await isSignedIn()).toBe(false);

        // Signet ends the session, and the site is notified by back-channel logout.
        expect((await enter()).statusCode).toBe(200);
        const { sessions } = await service.sessions.list(userId);
        await service.sessions.end(
          userId,
          sessions.map(({ id }) => id),
        );
        expect(await isSignedIn()).toBe(false);
        expect((await enter()).statusCode).toBe(200);
        await call(service, "LockUser", { id: userId });
        await until("the site has learned it", async () => !(await isSignedIn()));
        await call(service, "UnlockUser", { id: userId });
      } finally {
        apache.kill();
        await ended;
      }
    },
  );

  function writeApacheFiles(port: number, { id, secret }: { id: string; secret: string | undefined }): string {
    const folder = join(service.config.dataDir, "apache");
    mkdirSync(join(folder, "site", "public"), { recursive: true });
    // Apache's processes run as another user if it is started by root.
    for (const path of [service.config.dataDir, folder]) chmodSync(path, 0o755);
    for (const path of ["", "public"]) writeFileSync(join(folder, "site", path, "index.html"), "<h1>A site</h1>");
    const modules = ["mpm_event", "authn_core", "authz_core", "authz_user", "dir", "headers", "auth_openidc"];
    writeFileSync(
      join(folder, "apache.conf"),
      `${modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join("\n")}
ServerName localhost
Listen 127.0.0.1:${port}
${process.getuid?.() === 0 ? "User www-data\nGroup www-data" : ""}
DefaultRuntimeDir ${folder}
PidFile ${join(folder, "apache.pid")}
ErrorLog ${join(folder, "error.log")}
DocumentRoot ${join(folder, "site")}
DirectoryIndex index.html
OIDCProviderMetadataURL ${service.config.publicUrl}/.well-known/openid-configuration
OIDCClientID ${id}
OIDCClientSecret ${secret}
OIDCRedirectURI http://localhost:${port}/callback
OIDCCryptoPassphrase "a passphrase of the site"
OIDCScope "openid email"
OIDCRemoteUserClaim sub
Header set X-Remote-User "expr=%{REMOTE_USER}"
Header set X-Email "expr=%{reqenv:OIDC_CLAIM_email}"
<Location "/">
  AuthType openid-connect
  Require valid-user
</Location>
<Location "/public">
  AuthType None
  Require all granted
</Location>
`,
    );
    return folder;
  }

  /** Signs in with a program that uses Authlib. Returns what it prints. */
  async function runAuthlib({ id, redirectUri }: Pick<RelyingParty, "id" | "redirectUri">, secretOrFile: string) {
    const args = [join("test", "oidc", "authlib-client.py"), service.config.publicUrl, id, secretOrFile, redirectUri];
    const env = { ...process.env, AUTHLIB_INSECURE_TRANSPORT: "1" };
    const program = spawn(python ?? "", args, { env, stdio: ["pipe", "pipe", "pipe"] });
    let errors = "";
    program.stderr.on("data", (text) => {
      errors += text;
    });
    const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
    const { value: url = "" } = await lines.next();
    if (url === "") throw new Error(`the program failed: ${errors}`);
    program.stdin.end(`${await signIn(url)}\n`);
    const { value: answer } = await lines.next();
    if (answer === undefined) throw new Error(`the program failed: ${errors}`);
    return JSON.parse(answer);
  }

  const outcomeOf = (appId: string) => ({
    claims: { iss: service.config.publicUrl, sub: userId, aud: appId, amr: ["pwd"] },
    userinfo: { sub: userId, email: "ada@example.com", email_verified: true },
    introspected: { active: true, sub: userId, client_id: appId },
    revoked: { active: false },
  });

  testWith(
    "python3-authlib",
    python !== undefined,
    "Authlib signs in, refreshes, introspects and revokes",
    async () => {
      const app = await createRelyingParty(service, { requires_pkce: false });
      expect(await runAuthlib(app, app.secret ?? "")).toMatchObject(outcomeOf(app.id));
    },
  );

  testWith("python3-authlib", python !== undefined, "Authlib does the same with a private key", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const file = join(service.config.dataDir, "private-key.pem");
    writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }));
    const { appId } = await createTestApp(service, service.orgId, {
      authMethod: "private_key_jwt",
      grantTypes: ["authorization_code", "refresh_token"],
      jwks: JSON.stringify({ keys: [publicKey.export({ format: "jwk" })] }),
    });
    const answer = await runAuthlib({ id: appId, redirectUri: REDIRECT_URI }, file);
    expect(answer).toMatchObject(outcomeOf(appId));
  });
});
