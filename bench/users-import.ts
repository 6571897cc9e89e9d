/**
 * Measures `signet users import`: the rate against that of the load generator at the same concurrency, the memory, and the
 * CPU time of client, server and PostgreSQL for each user.
 *
 * `node bench/users-import.ts [users] [rounds]`: by default, a million in one round. In each round, the load generator
 * imports one user per call before and after the command, without and with what the command sends. Prints the figures as JSON.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toImportRequest } from "./data.ts";
import { readChildSeconds, runLoad } from "./processes.ts";
import { median } from "./rounds.ts";
import { createSetting } from "./setting.ts";

const users = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 1);
const CONCURRENCY = 32;
/** Calls of the load generator. */
const CALLS = Math.min(users, 100_000);

/** What a user or call took: the rate, and microseconds of CPU. */
interface Part {
  readonly rate: number;
  readonly client: number;
  readonly server: number;
  readonly database: number;
}

const folder = mkdtempSync(join(tmpdir(), "signet-users-import-"));
const setting = await createSetting(0);
const server = await setting.startSignet();
let serial = 1;
try {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = [await measureLoad(false), await measureLoad(true)] as const;
    const { imported, ...rest } = await measureImport(round);
    const after = [await measureLoad(true), await measureLoad(false)] as const;
    const plain = mean(before[0], after[1]);
    const same = mean(before[1], after[0]);
    ratios.push(imported.rate / plain.rate);
    const parts = toTable({ plain, same, imported });
    console.log(JSON.stringify({ users, ...parts, ...rest, ratio: ratios.at(-1), toSame: imported.rate / same.rate }));
  }
  console.log(JSON.stringify({ concurrency: CONCURRENCY, ratio: median(ratios) }));
} finally {
  await server.stop();
  await setting.stop();
  rmSync(folder, { recursive: true });
}

function mean(one: Part, other: Part): Part {
  const of = (key: keyof Part) => (one[key] + other[key]) / 2;
  return { rate: of("rate"), client: of("client"), server: of("server"), database: of("database") };
}

function toTable(parts: Readonly<Record<string, Part>>): Record<string, string> {
  const toLine = ({ rate, client, server, database }: Part) =>
    `${Math.round(rate)}/s, client ${Math.round(client)}, server ${Math.round(server)}, database ${Math.round(database)} µs`;
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, toLine(part)]));
}

/** @param isMove Whether the calls are those of the command, or plain ones. */
async function measureLoad(isMove: boolean): Promise<Part> {
  const plan = { operation: "import", form: "grpc", connections: 1, inFlight: CONCURRENCY, users: 1, isMove } as const;
  const before = readCpu();
  const load = { ...plan, port: server.port, tokens: [setting.token], calls: CALLS, firstNumber: serial };
  const { seconds, cpuSeconds } = await runLoad(load);
  serial += CALLS;
  return { rate: CALLS / seconds, client: (cpuSeconds / CALLS) * 1e6, ...perUser(before, readCpu(), CALLS) };
}

/** Seconds of CPU until now. */
function readCpu() {
  return { server: server.cpuSeconds(), database: setting.databaseSeconds() };
}

function perUser(from: ReturnType<typeof readCpu>, to: ReturnType<typeof readCpu>, count: number) {
  const of = (key: keyof typeof from) => ((to[key] - from[key]) / count) * 1e6;
  return { server: of("server"), database: of("database") };
}

/** Users per second while users are written, seconds of the whole command, and MiB of memory every two seconds. */
async function measureImport(round: number) {
  const file = await writeExport(round);
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
  const pid = child.pid ?? 0;
  const memory: number[] = [];
  /** Every two seconds. */
  const cpu: (ReturnType<typeof readCpu> & { readonly client: number; readonly share: number })[] = [];
  let highest = 0;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    process.stderr.write(text);
    if (child.exitCode !== null) return;
    highest = readMebibytes(pid, "VmHWM") || highest;
    const share = Number(/^(\d+) %/m.exec(text)?.[1]) / 100;
    if (Number.isNaN(share)) return;
    memory.push(readMebibytes(pid, "VmRSS"));
    cpu.push({ ...readCpu(), client: readChildSeconds(pid), share });
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the import ended with ${code}: ${output}`);
  const { seconds } = JSON.parse(output) as { seconds: number };
  const [first, last] = [cpu[0], cpu.at(-1)];
  if (first === undefined || last === undefined) throw new Error("the import has shown no progress");
  const counted = users * (last.share - first.share);
  const client = ((last.client - first.client) / counted) * 1e6;
  const imported: Part = { rate: users / seconds, client, ...perUser(first, last, counted) };
  return { imported, seconds: (performance.now() - startedAt) / 1_000, highest, memory };
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
async function writeExport(round: number): Promise<string> {
  const path = join(folder, `users-${round}.ndjson`);
  const file = createWriteStream(path);
  for (let number = 0; number < users; number += 1) {
    const { hashedPassword } = toImportRequest(number) as { hashedPassword: { value: string } };
    const name = `moved-${round}-${number}`;
    const user = { id: name, userName: name, firstName: "Ada", lastName: "Lovelace", email: `${name}@example.com` };
    const line = `${JSON.stringify({ ...user, emailVerified: true, passwordHash: hashedPassword.value })}\n`;
    if (!file.write(line)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
  return path;
}
