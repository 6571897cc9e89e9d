import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Kind } from "../../console/screens/apps/kinds.ts";
import { type SnippetValues, snippetsFor } from "../../console/screens/apps/snippets/snippet.ts";
import { createBrowser } from "../support/browsers/browser.ts";
import { createPerson } from "../support/browsers/person.ts";
import { call, importAda, VERIFIED, VISITED } from "../support/browsers/visitor.ts";
import { freePort } from "../support/free-port.ts";
import { type LocalhostProxy, startLocalhostProxy } from "../support/servers/localhost-proxy.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

/** A Python that has Authlib and Flask. */
const python = [process.env.PYTHON ?? "", "/usr/bin/python3", "python3"].find((command) =>
  isSuccessful(command, ["-c", "import authlib, flask, requests"]),
);
/** Whether Go has the packages of its example, which the tests do not load. */
const hasGo = isSuccessful("go", ["list", "github.com/coreos/go-oidc/v3/oidc"]);

/** A test that needs a program; skipped with a note if it is missing. */
const testWith = (program: string, isInstalled: boolean, title: string, run: () => Promise<void>) =>
  isInstalled ? test(title, run) : test.skip(`${title} (skipped: ${program} is missing)`, run);

function isSuccessful(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { cwd: "examples/go-api", env: { ...process.env, GOPROXY: "off" }, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const PASSWORD = "analytical engine no. 1";
const run = promisify(execFile);

let gate: LocalhostProxy;
let service: TestService;
let folder: string;
beforeAll(async () => {
  // The programs need an address at which they reach the service, before it listens on any.
  gate = await startLocalhostProxy();
  service = await startService("postgres", { ...VISITED, PUBLIC_URL: gate.origin });
  gate.target.port = service.port;
  service.secret(PASSWORD);
  // Inside of the repository, whose packages the programs use.
  folder = mkdtempSync(resolve("test/console/snippets-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  gate?.server.close();
  await service?.close();
});

const filesOf = (kind: Kind, framework: string, values: SnippetValues) =>
  snippetsFor(kind, values).find(({ name }) => name === framework)?.files ?? [];
const textOf = (kind: Kind, framework: string, values: SnippetValues, file: string) =>
  filesOf(kind, framework, values).find(({ name }) => name === file)?.text ?? "";

async function addApp(fields: object): Promise<{ clientId: string; clientSecret: string }> {
  const { clientId, clientSecret } = await call(service, "AddOIDCApp", { name: "Snippet", ...fields });
  return { clientId: String(clientId), clientSecret: String(clientSecret ?? "") };
}

let machines = 0;

async function addService() {
  const { userId } = await call(service, "AddMachineUser", { userName: `nightly-${++machines}`, name: "Nightly job" });
  return await addApp({ appType: "OIDC_APP_TYPE_SERVICE", serviceUserId: String(userId) });
}

/**
 * Runs a server, signs a user in to it, and returns its response to the browser that comes back. With another browser, it
 * must not respond with a user.
 */
async function signIn(
  kind: string,
  start: (values: SnippetValues, port: number) => { command: string; args: readonly string[]; env?: object },
) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const redirectUri = `${origin}/signed-in`;
  const { clientId, clientSecret } = await addApp({ redirectUris: [redirectUri], devMode: true });
  const { command, args, env } = start({ issuer: service.config.publicUrl, clientId, redirectUri }, port);
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, CLIENT_SECRET: clientSecret, PORT: String(port), ...env },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const ended = once(child, "exit");
  try {
    await until("the program listens", async () => child.exitCode !== null || (await isReachable(origin)));
    const userName = `ada-${kind}`;
    const userId = await importAda(service, { ...VERIFIED, userName, password: PASSWORD });
    const browser = createBrowser(origin, origin);
    const begun = await browser.open("/sign-in");
    const person = createPerson(service);
    const back = await person.submit(await person.open(begun.location), { username: userName, password: PASSWORD });
    expect(back.url.origin).toBe(origin);
    const other = await createBrowser(origin, origin).open(back.url.href);
    expect(other.status).toBeGreaterThanOrEqual(400);
    const signedIn = await browser.open(back.url.href);
    const shown = signedIn.location === "" ? signedIn : await browser.open(signedIn.location);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain(userId);
  } finally {
    child.kill();
    await ended;
  }
}

test("the Express program signs a user in", async () => {
  await signIn("express", (given) => {
    const file = join(folder, "server.mjs");
    writeFileSync(file, textOf("web", "Express", given, "server.js"));
    return { command: process.execPath, args: [file] };
  });
});

testWith("Authlib", python !== undefined, "the Authlib program signs a user in", async () => {
  await signIn("authlib", (given, port) => {
    writeFileSync(join(folder, "app.py"), textOf("web", "Flask", given, "app.py"));
    const args = ["-m", "flask", "--app", "app", "run", "--port", String(port)];
    return { command: python ?? "", args, env: { SESSION_SECRET: "0123456789abcdef0123456789abcdef" } };
  });
});

testWith("go-oidc", hasGo, "the Go program signs a user in", async () => {
  await signIn("go", (given) => {
    return { command: build(textOf("web", "go-oidc", given, "main.go")), args: [] };
  });
});

/** Compiles a Go program with the packages of the example. */
function build(text: string): string {
  for (const name of ["go.mod", "go.sum"]) copyFileSync(`examples/go-api/${name}`, join(folder, name));
  writeFileSync(join(folder, "main.go"), text);
  execFileSync("go", ["build", "-mod=mod", "-o", "app", "."], { cwd: folder, env: { ...process.env, GOPROXY: "off" } });
  return join(folder, "app");
}

test("the files for Next.js are those of the example, which is tested", () => {
  const values = { issuer: "https://id.example.com", clientId: "x", redirectUri: "https://app.example.com/signed-in" };
  const files = filesOf("web", "Next.js", values).filter(({ name }) => name.endsWith(".js"));
  expect(files).toHaveLength(4);
  for (const { name, text } of files) expect(text).toBe(readFileSync(`examples/nextjs/${name}`, "utf8"));
});

test("the files for Next.js follow the path of the redirect URI", () => {
  const values = { issuer: "https://id.example.com", clientId: "x", redirectUri: "https://app.example.com/a/b" };
  const last = filesOf("web", "Next.js", values).at(-1);
  expect(last?.name).toBe("app/a/b/route.js");
  expect(last?.text).toContain('"../../../lib/signet.js"');
  expect(last?.text).toMatch(/\/a\/b\$\{request\.nextUrl\.search\}/);
});

/** The application in programs without a redirect URI. */
const values = (clientId: string) => ({ issuer: service.config.publicUrl, clientId, redirectUri: "" });

test("the commands get a token for a service, and check it", async () => {
  const { clientId, clientSecret } = await addService();
  const env = { ...process.env, CLIENT_SECRET: clientSecret };
  const got = await run("sh", ["-c", textOf("service", "curl", values(clientId), "get-token.sh")], { env });
  const { access_token: token } = JSON.parse(got.stdout);
  service.secret(token);
  const api = await addApp({ redirectUris: ["https://api.example.com/"] });
  const checked = await run("sh", ["-c", textOf("web", "curl", values(api.clientId), "check-token.sh")], {
    env: { ...process.env, CLIENT_SECRET: api.clientSecret, ACCESS_TOKEN: token },
  });
  expect(checked.stdout).toContain('"introspection_endpoint"');
  expect(checked.stdout).toContain(`"client_id":"${clientId}"`);
});

/** Runs a program that prints a token for a service, and checks that it is valid. */
async function expectToken(start: (values: SnippetValues) => { command: string; args: readonly string[] }) {
  const { clientId, clientSecret } = await addService();
  const { command, args } = start(values(clientId));
  const env = { ...process.env, CLIENT_SECRET: clientSecret };
  const { stdout } = await run(command, args, { cwd: folder, env });
  const token = service.secret(stdout.trim());
  const response = await fetch(`${service.origin}/oauth/v2/introspect`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ token }),
  });
  expect(await response.json()).toMatchObject({ active: true, client_id: clientId });
}

test("the Node program gets a token for a service", async () => {
  await expectToken((given) => {
    writeFileSync(join(folder, "service.mjs"), textOf("service", "openid-client", given, "service.js"));
    return { command: process.execPath, args: ["service.mjs"] };
  });
});

testWith("Authlib", python !== undefined, "the Authlib program gets a token for a service", async () => {
  await expectToken((given) => {
    writeFileSync(join(folder, "service.py"), textOf("service", "Authlib", given, "service.py"));
    return { command: python ?? "", args: ["service.py"] };
  });
});

testWith("go-oidc", hasGo, "the Go program gets a token for a service", async () => {
  await expectToken((given) => ({ command: build(textOf("service", "oauth2", given, "main.go")), args: [] }));
});

test("the commands start the sign-in of a device", async () => {
  const { clientId } = await addApp({
    redirectUris: ["http://localhost/"],
    appType: "OIDC_APP_TYPE_NATIVE",
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
    grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_DEVICE_CODE"],
  });
  const commands = textOf("native", "curl", values(clientId), "sign-in.sh").split("\n\n");
  const begun = await run("sh", ["-c", commands[0] ?? ""]);
  const { device_code: code, verification_uri_complete: uri } = JSON.parse(begun.stdout);
  expect(uri).toContain("/ui/device?");
  // Nobody has confirmed it yet, which the response says.
  const waiting = (commands[1] ?? "").replace("--fail-with-body", "");
  const asked = await run("sh", ["-c", waiting], { env: { ...process.env, DEVICE_CODE: code } });
  expect(JSON.parse(asked.stdout)).toMatchObject({ error: "authorization_pending" });
});

async function isReachable(origin: string): Promise<boolean> {
  return await fetch(origin).then(
    () => true,
    () => false,
  );
}
