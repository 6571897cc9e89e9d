import { execFile, execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { createProcesses, readToken } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

const FOLDER = "deploy";
const processes = createProcesses();
afterAll(() => processes.close());

const hasPromtool = (() => {
  try {
    execFileSync("promtool", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();
interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

/** A test that needs promtool; skipped with a note if it is missing. */
const testWithPromtool = (title: string, run: () => Promise<void>) =>
  hasPromtool ? test(title, run) : test.skip(`${title} (skipped: promtool is missing)`, run);

function promtool(args: string[], input = ""): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = execFile("promtool", args, (error, stdout, stderr) => {
    if (error) reject(new Error(`promtool ${args.join(" ")}: ${stdout}${stderr}`));
    else resolve(stdout + stderr);
  });
  child.stdin?.end(input);
  return promise;
}

describe.each([
  ["one process", "1"],
  ["workers", "2"],
])("the metrics of %s", (name, workers) => {
  let text: string;
  beforeAll(async () => {
    const { variables, tokenFile } = await processes.createInstallation(name.replace(" ", "-"));
    const server = await processes.serve({ ...variables, METRICS_PORT: "0" }, ["--workers", workers]);
    const [, port] = await until("metrics are served", () =>
      /"port":(\d+),"msg":"serving metrics"/.exec(server.stderr()),
    );
    const token = readToken(tokenFile);
    await send(server.origin, "POST", IMPORT_PATH, { token, body: human("ada") });
    text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await server.stop();
  });

  testWithPromtool("are as promtool wants them", async () => {
    expect(await promtool(["check", "metrics"], text)).toBe("");
  });

  test.each(["grafana/dashboards/signet.json", "prometheus/alerts.yml"])("include all metrics in %s", (file) => {
    const exported = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, family]) => family));
    const used = new Set(readFileSync(`${FOLDER}/${file}`, "utf8").match(/\b(signet|process|nodejs)_[a-z_]+\b/g));
    expect(used.size).toBeGreaterThan(9);
    const isExported = (metric: string) =>
      exported.has(metric) || exported.has(metric.replace(/_(bucket|sum|count)$/, ""));
    expect([...used].filter((metric) => !isExported(metric))).toEqual([]);
  });

  test("are described in docs/operate.md", () => {
    const documented = readFileSync("docs/operate.md", "utf8");
    const own = [...text.matchAll(/^# TYPE (signet_\w+)/gm)].map(([, family = ""]) => family);
    expect(own.filter((family) => !documented.includes(`\`${family}\``))).toEqual([]);
  });
});

testWithPromtool("every query of the dashboard is valid", async () => {
  const dashboard = JSON.parse(readFileSync(`${FOLDER}/grafana/dashboards/signet.json`, "utf8")) as Dashboard;
  const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(30);
  const rules = queries.map((query, number) => ({
    record: `query:${number}`,
    expr: query.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*"),
  }));
  const file = join(processes.root, "queries.json");
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
  expect(await promtool(["check", "rules", file])).toContain(`${queries.length} rules found`);
});

describe("the files for Prometheus", () => {
  testWithPromtool("are valid", async () => {
    expect(await promtool(["check", "config", `${FOLDER}/prometheus/prometheus.yml`])).toContain("14 rules found");
  });

  testWithPromtool("raise each alert when they should, and only then", async () => {
    expect(await promtool(["test", "rules", `${FOLDER}/prometheus/alerts.test.yml`])).toContain("SUCCESS");
  });

  test("have a test and a section in docs/operate.md for each alert", () => {
    const read = (file: string) => readFileSync(file, "utf8");
    const alerts = [...read(`${FOLDER}/prometheus/alerts.yml`).matchAll(/- alert: (\w+)/g)].map(
      ([, alert = ""]) => alert,
    );
    const tests = read(`${FOLDER}/prometheus/alerts.test.yml`);
    expect(alerts).toHaveLength(14);
    for (const alert of alerts) {
      expect(tests).toMatch(new RegExp(`alertname: ${alert}\\n\\s+exp_alerts:`));
      expect(read("docs/operate.md")).toContain(`### ${alert}\n`);
    }
  });
});
