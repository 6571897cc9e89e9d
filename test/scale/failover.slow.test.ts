import { runFailover } from "./failover.ts";
import { hasHaProxy } from "./haproxy.ts";

const canRun = process.platform === "linux" && hasHaProxy();
const title = "a failover and a killed process lose no event of a watcher and a webhook, and no acknowledged call";
(canRun ? test : test.skip)(
  canRun ? title : `${title} (skipped: it needs Linux and HAProxy)`,
  async () => {
    // Throws if anything is lost. The time that it takes is not limited here.
    const figures = await runFailover("SIGKILL", { calls: 10, longestOutageMs: Number.POSITIVE_INFINITY });
    expect(figures).toMatchObject({ "acknowledged calls that were lost": 0 });
    expect(figures["streams that it has opened"]).toBeGreaterThan(1);
    expect(figures["events that a webhook has got, in order for each object"]).toBeGreaterThan(100);
  },
  300_000,
);
