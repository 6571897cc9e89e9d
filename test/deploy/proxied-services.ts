import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { type Caller, createCaller, type TestProtocol } from "../support/clients/callers.ts";
import { human } from "../support/clients/send.ts";
import { freePort } from "../support/free-port.ts";
import { startSmtp, type TestSmtp } from "../support/messages/smtp.ts";
import { createCertificate } from "../support/servers/certificates.ts";
import { createProcesses, type Ended, type TestServer } from "../support/servers/process.ts";
import { until } from "../support/until.ts";
import { readCompose } from "./compose.ts";
import { findProgram, PROXIES, type RunningProxy, startProxy } from "./proxies.ts";

/**
 * The topology of compose.yaml, with its variables and secrets, but with plain processes: two services on one
 * PostgreSQL, an SMTP server, and every installed proxy.
 */
export interface ProxiedServices {
  readonly proxies: readonly RunningProxy[];
  readonly smtp: TestSmtp;
  readonly databaseUrl: string;
  readonly publicUrl: string;
  /** A folder for files of the test. */
  readonly root: string;
  /** The proxy with a name. */
  behind(name: string): RunningProxy;
  createCaller(wire: TestProtocol, proxy: RunningProxy): Caller;
  /** The path that starts a sign-in to an application. */
  readonly authorizePath: string;
  /** Requests a path of PUBLIC_URL with curl through a proxy. Prints each body, and a line such as `200 HTTP/2`. */
  curl(proxy: RunningProxy, path: string, args?: readonly string[]): Promise<string>;
  /** Options of curl: the token of `admin`, and a body in JSON. */
  readonly jsonHeaders: readonly string[];
  /** Sends a signal to one of the services, and waits until it has ended. */
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<Ended>;
  /** Starts it again on the same port, and waits until it has served calls. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const HOST = "id.localhost";
const run = promisify(execFile);

/** Whether the program of a proxy is on this machine, and curl, with which the tests call. */
export function canRun(program: string): boolean {
  return findProgram(program) !== undefined && findProgram("curl") !== undefined;
}

/** Starts everything, and makes this process trust the certificates. */
export async function startProxiedServices(): Promise<ProxiedServices> {
  // Closes what has started if something else fails to start.
  await using started = new AsyncDisposableStack();
  const processes = createProcesses();
  started.defer(processes.close);
  const responses: string[] = [];
  const smtp = await startSmtp();
  started.defer(smtp.close);
  const { url: databaseUrl } = await processes.createDatabase();
  const variables = {
    ...createVariables(join(processes.root, "secrets"), { "database-url": databaseUrl, "smtp-url": smtp.url }),
    PASSKEY_OFFER: "never",
  };
  await processes.run(["migrate"], variables);
  const ports = [String(await freePort()), String(await freePort())] as const;
  const serve = (PORT: string) => processes.serve({ ...variables, PORT });
  let [, second] = (await Promise.all([serve(ports[0]), serve(ports[1])])) as [TestServer, TestServer];
  const first = "token create admin --role INSTANCE_OWNER".split(" ");
  const token = (await processes.run(first, variables, { mayPrintToken: true })).stdout.trim();
  const app = "app create Demo --redirect-uri https://app.example.com/signed-in --type spa --json".split(" ");
  const { clientId } = JSON.parse((await processes.runHere(app, variables)).stdout);

  const names = ["localhost", HOST];
  const backends = [`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`] as const;
  const folder = join(processes.root, "certificate");
  mkdirSync(folder);
  const { cert: certFile, key: keyFile } = createCertificate(folder, { hosts: names });
  const proxies: RunningProxy[] = [];
  for (const kind of PROXIES.filter(({ program }) => canRun(program))) {
    const options = { folder: join(processes.root, kind.program), names, backends, certFile, keyFile };
    const proxy = await startProxy(kind, options);
    started.defer(proxy.close);
    proxies.push(proxy);
  }
  const trusted = getCACertificates("default");
  started.defer(() => setDefaultCACertificates(trusted));
  setDefaultCACertificates([...trusted, ...proxies.map(({ caFile }) => readFileSync(caFile, "utf8"))]);

  const all = started.move();
  return {
    proxies,
    smtp,
    databaseUrl,
    publicUrl: `https://${HOST}`,
    root: processes.root,
    behind(name) {
      const found = proxies.find((proxy) => proxy.name === name);
      if (found === undefined) throw new Error(`${name} does not run`);
      return found;
    },
    createCaller: (wire, { origin, caFile }) =>
      createCaller(wire, { origin, responses, ca: readFileSync(caFile) }, token),
    authorizePath: `/oauth/v2/authorize?${new URLSearchParams({
      client_id: clientId,
      redirect_uri: "https://app.example.com/signed-in",
      response_type: "code",
      scope: "openid",
      state: "any",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    })}`,
    async curl({ httpsPort, caFile }, path, args = []) {
      const connectTo = ["--connect-to", `${HOST}:443:127.0.0.1:${httpsPort}`];
      const common = ["-sS", "--cacert", caFile, ...connectTo, "-w", "\\n%{http_code} HTTP/%{http_version}\\n"];
      return (await run("curl", [...common, ...args, `https://${HOST}${path}`])).stdout;
    },
    jsonHeaders: ["-H", `authorization: Bearer ${token}`, "-H", "content-type: application/json"],
    stop: (signal) => second.stop(signal),
    async restart() {
      second = await serve(ports[1]);
      await until("it serves", () => second.stderr().split('"msg":"call"').length > 20);
    },
    close: () => all.disposeAsync(),
  };
}

/** The variables of the services in compose.yaml, with other addresses, and without a folder to write to. */
function createVariables(folder: string, secrets: Readonly<Record<string, string>>): Record<string, string> {
  mkdirSync(folder);
  for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, name), value);
  // Creates anything that is missing.
  execFileSync("sh", ["deploy/create-secrets.sh", folder], { stdio: "ignore" });
  const { environment = {} } = readCompose({ SIGNET_HOST: HOST }).services["signet-1"] ?? {};
  const local = Object.entries(environment).map(([name, value]) => [name, value.replace("/run/secrets", folder)]);
  return { ...Object.fromEntries(local), TRUSTED_PROXIES: "127.0.0.1", DATA_DIR: "/proc/signet" };
}

/** Imports a user, and returns the id. Throws on any error. */
export async function importUser(caller: Caller, userName: string, fields: object = {}, headers = {}): Promise<string> {
  const outcome = await caller.call("ImportHumanUser", { ...human(userName), ...fields } as never, headers);
  if (!outcome.ok) throw new Error(`the import of ${userName} failed: ${outcome.message}`);
  return String(outcome.message.userId);
}
