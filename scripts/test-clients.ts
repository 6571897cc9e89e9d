/**
 * Runs the clients in docs/clients.md against a separate service: `npm run test:clients [language …]`. Skips languages
 * whose tools are not installed, and reports which are missing. Exits with 1 if a client fails.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Commands that succeed if a language can be run, in the order of docs/clients.md. */
const NEEDS: Record<string, readonly string[]> = {
  typescript: [],
  go: [
    "go version",
    "command -v protoc-gen-go",
    "command -v protoc-gen-go-grpc",
    // Does not use the network: the modules must have been downloaded. Debian's modules are too old for the plugins.
    "cd examples/clients/go && GOPROXY=off GOFLAGS=-mod=mod go list google.golang.org/grpc",
  ],
  python: ["protoc --version", "command -v grpc_python_plugin", "$PYTHON -c 'import grpc'"],
  java: [
    "javac -version",
    "protoc --version",
    "command -v grpc_java_plugin",
    "ls /usr/share/java/grpc-netty.jar /usr/share/java/{gson,netty-all,perfmark-api}.jar",
  ],
  csharp: ["dotnet --version"],
  ruby: ["protoc --version", "command -v grpc_ruby_plugin", "ruby -e 'require \"grpc\"'"],
  // Does not use the network: the crates must have been downloaded.
  rust: ["cargo fetch --offline --manifest-path examples/clients/rust/Cargo.toml"],
};

const folder = mkdtempSync(join(tmpdir(), "signet-clients-"));
const languages = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(NEEDS);
const python = ["python3", "/usr/bin/python3"].find((each) => succeeds(`${each} -c 'import grpc'`));
const environment = { ...process.env, PYTHON: python ?? "python3" };
let service: ChildProcess | undefined;
try {
  const { address, token } = await startService();
  for (const language of languages) run(language, address, token);
} finally {
  service?.kill("SIGTERM");
  await new Promise((done) => (service?.exitCode === null ? service.once("exit", done) : done(undefined)));
  rmSync(folder, { recursive: true, force: true });
}

function run(language: string, address: string, token: string): void {
  const missing = NEEDS[language]?.find((command) => !succeeds(command, environment));
  if (missing !== undefined) {
    console.log(`${language}: skipped, because this fails: ${missing}`);
    return;
  }
  const out = join(folder, language);
  mkdirSync(join(out, "classes"), { recursive: true });
  try {
    const output = execFileSync("bash", ["-euo", "pipefail", `examples/clients/${language}/run.sh`], {
      env: {
        ...environment,
        OUT: out,
        SIGNET_ADDRESS: address,
        SIGNET_TOKEN: token,
        SIGNET_SERVICE_CONFIG: resolve("examples/clients/service-config.json"),
      },
      encoding: "utf8",
      timeout: 300_000,
    });
    if (!/^imported [0-9a-f-]{36}\nfailed \w+ USER_NAME_TAKEN$/m.test(output)) throw new Error(`printed ${output}`);
    console.log(`${language}: passed\n${output.trim().replace(/^/gm, "  ")}`);
  } catch (error) {
    console.log(`${language}: FAILED: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

async function startService(): Promise<{ address: string; token: string }> {
  const port = await freePort();
  const dataDir = join(folder, "data");
  service = spawn(process.execPath, ["bin/signet.js", "serve"], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "warn" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const deadline = performance.now() + 60_000;
  while (
    !(await fetch(`http://127.0.0.1:${port}/readyz`)
      .then(({ ok }) => ok)
      .catch(() => false))
  ) {
    if (service.exitCode !== null || performance.now() > deadline) throw new Error("the service did not start");
    await new Promise((done) => setTimeout(done, 100));
  }
  return { address: `127.0.0.1:${port}`, token: readFileSync(join(dataDir, "admin.token"), "utf8").trim() };
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function succeeds(command: string, env: NodeJS.ProcessEnv = process.env): boolean {
  try {
    execFileSync("bash", ["-c", command], { stdio: "ignore", env });
    return true;
  } catch {
    return false;
  }
}
