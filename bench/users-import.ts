/**
 * Measures `signet users import`: the rate against that of the load generator at the same concurrency, and the memory.
 *
 * `node bench/users-import.ts [users]`: by default, a million. Prints the figures as JSON.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toImportRequest } from "./data.ts";
import { runLoad } from "./processes.ts";
import { createSetting } from "./setting.ts";

const users = Number(process.argv[2] ?? 1_000_000);
const CONCURRENCY = 32;
/** Calls of the load generator. */
const CALLS = Math.min(users, 100_000);

const folder = mkdtempSync(join(tmpdir(), "signet-users-import-"));
const setting = await createSetting(0);
const server = await setting.startSignet();
try {
  const loadBefore = await measureLoad(1);
  const imported = await measureImport();
  const loadAfter = await measureLoad(1 + CALLS);
  const load = (loadBefore + loadAfter) / 2;
  const ratio = imported.rate / load;
  console.log(JSON.stringify({ users, concurrency: CONCURRENCY, load, ...imported, ratio }, undefined, 2));
} finally {
  await server.stop();
  await setting.stop();
  rmSync(folder, { recursive: true });
}

/** Calls per second of the load generator. */
async function measureLoad(firstNumber: number): Promise<number> {
  const plan = { operation: "import", form: "grpc", connections: 1, inFlight: CONCURRENCY, users: 1 } as const;
  const { seconds } = await runLoad({ ...plan, port: server.port, tokens: [setting.token], calls: CALLS, firstNumber });
  return CALLS / seconds;
}

/** Users per second while users are written, seconds of the whole command, and MiB of memory at each tenth. */
async function measureImport() {
  const file = await writeExport();
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, setting.token, { mode: 0o600 });
  const url = `http://127.0.0.1:${server.port}`;
  const options = [
    "--from",
    "signet",
    "--runs",
    join(folder, "runs"),
    "--concurrency",
    String(CONCURRENCY),
    "--yes",
    "--json",
  ];
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ["bin/signet.js", "users", "import", file, ...options, "--url", url, "--token-file", tokenFile],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const memory: number[] = [];
  const readMemory = () => memory.push(readMebibytes(child.pid ?? 0, "VmRSS"));
  let highest = 0;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    process.stderr.write(text);
    if (/^\d+ %/m.test(text) && child.exitCode === null) readMemory();
    if (child.exitCode === null) highest = readMebibytes(child.pid ?? 0, "VmHWM") || highest;
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the import ended with ${code}: ${output}`);
  const { seconds } = JSON.parse(output) as { seconds: number };
  return { rate: users / seconds, seconds: (performance.now() - startedAt) / 1_000, highest, memory };
}

function readMebibytes(pid: number, name: string): number {
  try {
    const [, kilobytes] = new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kilobytes) / 1_024);
  } catch {
    return 0;
  }
}

/** Writes the users whom the load generator also imports, with other names. */
async function writeExport(): Promise<string> {
  const path = join(folder, "users.ndjson");
  const file = createWriteStream(path);
  for (let number = 0; number < users; number += 1) {
    const { hashedPassword } = toImportRequest(number) as { hashedPassword: { value: string } };
    const name = `moved-${number}`;
    const user = { id: name, userName: name, firstName: "Ada", lastName: "Lovelace", email: `${name}@example.com` };
    const line = `${JSON.stringify({ ...user, emailVerified: true, passwordHash: hashedPassword.value })}\n`;
    if (!file.write(line)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
  return path;
}
