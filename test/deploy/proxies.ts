import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";

/** A program that runs one of the configurations in `deploy`, in front of two services. */
export interface ProxyKind {
  readonly name: string;
  readonly program: string;
  /** Writes the configuration of `deploy` with other ports and folders, and returns how to start the program. */
  prepare(setup: Setup): {
    readonly args: readonly string[];
    readonly variables?: Readonly<Record<string, string>>;
    /** The certificate that clients have to trust. */
    readonly caFile: string;
    /** The log of requests; by default, the output of the program. */
    readonly logFile?: string;
  };
}

interface Setup {
  readonly folder: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  /** The configuration of `deploy` names two. Only Caddy uses further ones. */
  readonly backends: readonly [string, string, ...string[]];
  /** Names of the service, and a certificate for them. */
  readonly names: readonly string[];
  readonly certFile: string;
  readonly keyFile: string;
}

/** A running proxy. */
export interface RunningProxy {
  readonly name: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly origin: string;
  readonly caFile: string;
  log(): string;
  close(): Promise<void>;
}

const CADDY: ProxyKind = {
  name: "Caddy",
  program: "caddy",
  prepare({ folder, httpPort, httpsPort, backends, names }) {
    const text = replaceAll(read("caddy/Caddyfile"), [["signet-1:8080 signet-2:8080", backends.join(" ")]]);
    const file = write(folder, "Caddyfile", text);
    const data = join(folder, "data");
    const variables = {
      HOME: folder,
      XDG_DATA_HOME: data,
      XDG_CONFIG_HOME: folder,
      SIGNET_HOST: names.join(" "),
      SIGNET_HTTP_PORT: String(httpPort),
      SIGNET_HTTPS_PORT: String(httpsPort),
    };
    const caFile = join(data, "caddy", "pki", "authorities", "local", "root.crt");
    return { args: ["run", "--adapter", "caddyfile", "--config", file], variables, caFile };
  },
};

const NGINX: ProxyKind = {
  name: "nginx",
  program: "nginx",
  prepare({ folder, httpPort, httpsPort, backends, names, certFile, keyFile }) {
    const text = replaceAll(read("nginx/signet.conf"), [
      ["10.0.0.11:8080", backends[0]],
      ["10.0.0.12:8080", backends[1]],
      ["listen 80;", `listen ${httpPort};`],
      ["listen [::]:80;", ""],
      ["listen 443 ssl", `listen ${httpsPort} ssl`],
      ["listen [::]:443 ssl http2;", ""],
      ["server_name id.example.com", `server_name ${names.join(" ")}`],
      ["/etc/nginx/signet/tls.crt", certFile],
      ["/etc/nginx/signet/tls.key", keyFile],
      ["/var/log/nginx/", `${folder}/`],
    ]);
    const included = write(folder, "signet.conf", text);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
      .join("\n");
    const main = `pid ${join(folder, "nginx.pid")};\nevents {}\nhttp {\n${temporary}\ninclude ${included};\n}\n`;
    const file = write(folder, "nginx.conf", main);
    const args = ["-e", join(folder, "error.log"), "-c", file, "-g", "daemon off;"];
    return { args, caFile: certFile, logFile: join(folder, "signet.log") };
  },
};

const HAPROXY: ProxyKind = {
  name: "HAProxy",
  program: "haproxy",
  prepare({ folder, httpPort, httpsPort, backends, certFile, keyFile }) {
    const pem = write(folder, "signet.pem", readFileSync(certFile, "utf8") + readFileSync(keyFile, "utf8"));
    const text = replaceAll(read("haproxy/haproxy.cfg"), [
      ["10.0.0.11:8080", backends[0]],
      ["10.0.0.12:8080", backends[1]],
      ["bind :80", `bind :${httpPort}`],
      ["bind :443", `bind :${httpsPort}`],
      ["/etc/haproxy/signet.pem", pem],
    ]);
    return { args: ["-db", "-f", write(folder, "haproxy.cfg", text)], caFile: certFile };
  },
};

const ENVOY: ProxyKind = {
  name: "Envoy",
  program: "envoy",
  prepare({ folder, httpPort, httpsPort, backends, certFile, keyFile }) {
    const text = replaceAll(read("envoy/envoy.yaml"), [
      ["address: 10.0.0.11, port_value: 8080", addressOf(backends[0])],
      ["address: 10.0.0.12, port_value: 8080", addressOf(backends[1])],
      ["port_value: 80 ", `port_value: ${httpPort} `],
      ["port_value: 443 ", `port_value: ${httpsPort} `],
      ["/etc/envoy/signet/tls.crt", certFile],
      ["/etc/envoy/signet/tls.key", keyFile],
    ]);
    const args = ["--config-path", write(folder, "envoy.yaml", text), "--use-dynamic-base-id", "--log-level", "error"];
    return { args, caFile: certFile };
  },
};

export const PROXIES: readonly ProxyKind[] = [CADDY, NGINX, HAPROXY, ENVOY];

/** The path of a program, in PATH or where Debian puts those of the system; undefined if it is missing. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    execFileSync("test", ["-x", path], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Starts a proxy, and waits until a backend responds through it. */
export async function startProxy(
  kind: ProxyKind,
  options: Omit<Setup, "httpPort" | "httpsPort">,
): Promise<RunningProxy> {
  const { folder } = options;
  mkdirSync(folder);
  // Some of the programs drop root privileges before they open files.
  chmodSync(folder, 0o755);
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const { args, variables, caFile, logFile } = kind.prepare({ ...options, httpPort, httpsPort });
  const child = spawn(findProgram(kind.program) ?? kind.program, args, {
    env: { PATH: process.env.PATH, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const proxy: RunningProxy = {
    name: kind.name,
    httpPort,
    httpsPort,
    origin: `https://localhost:${httpsPort}`,
    caFile,
    log: () => (logFile === undefined ? output : readFileSync(logFile, "utf8")),
    async close() {
      // SIGKILL would leave the worker processes of nginx behind.
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 2_000);
      await ended;
      clearTimeout(timer);
    },
  };
  try {
    await until(`${kind.name} has a backend`, () => {
      if (hasEnded(child)) throw new Error(`${kind.name} ended: ${output}`);
      return isServed(proxy);
    });
  } catch (error) {
    await proxy.close();
    throw error;
  }
  return proxy;
}

function isServed({ origin, caFile }: RunningProxy): Promise<boolean> {
  return promisify(execFile)("curl", ["-sf", "--max-time", "5", "--cacert", caFile, `${origin}/healthz`]).then(
    () => true,
    () => false,
  );
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function addressOf(backend: string): string {
  const [address, port] = backend.split(":");
  return `address: ${address}, port_value: ${port}`;
}

function read(path: string): string {
  return readFileSync(join("deploy", path), "utf8");
}

function write(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((replaced, [from, to]) => {
    if (!replaced.includes(from)) throw new Error(`the configuration does not contain "${from}"`);
    return replaced.replaceAll(from, to);
  }, text);
}
