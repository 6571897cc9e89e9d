import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerProcess } from "./processes.ts";

/** The parts of a V8 CPU profile that are used here. Times are in microseconds. */
interface CpuProfile {
  readonly startTime: number;
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  /** Ids of nodes. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface ShareOptions {
  /** Starts a server that exits by itself after SIGTERM. */
  readonly start: (environment: Record<string, string>) => Promise<ServerProcess>;
  /** Runs before the time that counts. */
  readonly warmUp: (server: ServerProcess) => Promise<unknown>;
  readonly load: (server: ServerProcess) => Promise<unknown>;
  /** Matches the URLs of the modules to measure. */
  readonly modules: RegExp;
}

/**
 * The fraction of the main thread's CPU time spent in functions of some modules, and in functions that they call. From
 * 0 to 1.
 */
export async function measureShare({ start, warmUp, load, modules }: ShareOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "signet-profile-"));
  try {
    const options = ["--cpu-prof", "--cpu-prof-interval=200", `--cpu-prof-dir=${folder}`];
    const server = await start({ NODE_OPTIONS: options.join(" ") });
    await warmUp(server);
    // The monotonic clock, which the profile also uses.
    const from = Number(process.hrtime.bigint() / 1_000n);
    await load(server);
    const to = Number(process.hrtime.bigint() / 1_000n);
    await server.stop();
    return shareOf(readMainThread(folder), { from, to }, modules);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the profile with the most samples. Other threads, such as those that hash passwords, have few. */
function readMainThread(folder: string): CpuProfile {
  const profiles = readdirSync(folder).map(
    (file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as CpuProfile,
  );
  const [longest] = profiles.sort((a, b) => b.samples.length - a.samples.length);
  if (longest === undefined) throw new Error("the server has written no profile");
  return longest;
}

function shareOf(profile: CpuProfile, time: { readonly from: number; readonly to: number }, modules: RegExp): number {
  const found = nodesBelow(profile, ({ url }) => modules.test(url));
  const idle = nodesBelow(profile, ({ functionName }) => functionName === "(idle)" || functionName === "(program)");
  let [now, all, share] = [profile.startTime, 0, 0];
  for (const [index, delta] of profile.timeDeltas.entries()) {
    const node = profile.samples[index] ?? 0;
    now += delta;
    if (now < time.from || now > time.to || idle.has(node)) continue;
    all += delta;
    if (found.has(node)) share += delta;
  }
  return share / all;
}

/** The ids of the nodes that match, and of all nodes below them. */
function nodesBelow({ nodes }: CpuProfile, matches: (frame: CpuProfile["nodes"][number]["callFrame"]) => boolean) {
  const found = new Set<number>();
  // A node comes before its children.
  for (const { id, callFrame, children = [] } of nodes) {
    if (!found.has(id) && !matches(callFrame)) continue;
    found.add(id);
    for (const child of children) found.add(child);
  }
  return found;
}
