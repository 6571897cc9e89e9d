/**
 * Shows whether the memory of a server grows with the number of calls: reads, changes over gRPC and changes over REST,
 * 128 at a time, in ten parts. After each part, the server idles and collects garbage, and its memory is read.
 *
 * `node bench/soak.ts --soak <calls>`: ten million by default, which take an hour. Prints a line per part, and exits
 * with 1 if memory at the end exceeds memory after the first part by more than `BOUNDS`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createSetting } from "./setting.ts";
import { soak } from "./soak-run.ts";

const { values: flags } = parseArgs({ options: { soak: { type: "string", default: "10000000" } } });
const USERS = 20_000;
/** In MB. */
const BOUNDS = { rss: 50, heap: 10 };

const setting = await createSetting(USERS);
const folder = mkdtempSync(join(tmpdir(), "signet-soak-"));
try {
  console.log("       calls      rss     heap external  calls/s   p99 ms   failed");
  const tenths = await soak({
    environment: { ...setting.environment, DATA_DIR: folder },
    prepare: async () => [setting.token, ...setting.tokens],
    users: USERS,
    calls: Number(flags.soak),
    restMs: 5_000,
    onTenth: ({ calls, rss, heap, external, callsPerSecond, p99, failed }) =>
      console.log(
        [
          String(calls).padStart(12),
          ...[rss, heap, external].map((mb) => mb.toFixed(1).padStart(8)),
          ...[callsPerSecond, p99, failed].map((value) => String(value).padStart(8)),
        ].join(" "),
      ),
  });
  const [first, last] = [tenths[0], tenths.at(-1)];
  if (first === undefined || last === undefined) throw new Error("nothing was measured");
  for (const [name, bound] of Object.entries(BOUNDS) as ["rss" | "heap", number][]) {
    const growth = last[name] - first[name];
    console.log(`${name}: ${growth.toFixed(1)} MB more than after the first part (at most ${bound})`);
    if (growth > bound) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
  await setting.stop();
}
