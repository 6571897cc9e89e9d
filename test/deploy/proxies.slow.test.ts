import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as grpc from "@grpc/grpc-js";
import pg from "pg";
import { createPerson } from "../support/browsers/person.ts";
import type { Outcome, TestProtocol } from "../support/clients/callers.ts";
import { human, IMPORT_PATH } from "../support/clients/send.ts";
import { inRounds } from "../support/rounds.ts";
import { until } from "../support/until.ts";
import { canRun, importUser, type ProxiedServices, startProxiedServices } from "./proxied-services.ts";
import { PROXIES, type RunningProxy } from "./proxies.ts";

const PASSWORD = "analytical engine no. 1";
/** gRPC-Web is called with `fetch`, which speaks HTTP/1.1. */
const WIRES: readonly TestProtocol[] = ["grpc", "grpc-web", "connect", "rest"];
const SERVING = Buffer.from([8, 1]);
const TOO_LARGE = human("a".repeat(3 * 2 ** 20));

interface SlowCalls {
  readonly name: string;
  readonly overRest: Outcome;
  readonly overGrpc: Outcome;
  readonly unfinished: string;
}

let services: ProxiedServices;
let slow: Promise<SlowCalls[]>;
let database: pg.Client | undefined;

/** Calls that wait for a locked row for 10 s, and a body that never ends, for which Signet waits 15 s. */
async function callSlowly(proxy: RunningProxy): Promise<SlowCalls> {
  const [rest, rpc] = [services.createCaller("rest", proxy), services.createCaller("grpc", proxy)];
  const userId = await importUser(rest, `slow-${proxy.name}`);
  await database?.query("select 1 from users where id = $1 for update", [userId]);
  const change = { userId, phone: "+41791234567", isPhoneVerified: true };
  const partly = ["--http1.1", ...services.jsonHeaders, "-H", "content-length: 100", "-d", "{"];
  const [overRest, overGrpc, unfinished] = await Promise.all([
    rest.call("UpdateHumanPhone", { ...change }),
    rpc.call("UpdateHumanPhone", { ...change }),
    services.curl(proxy, IMPORT_PATH, partly),
  ]);
  rpc.close();
  return { name: proxy.name, overRest, overGrpc, unfinished };
}

beforeAll(async () => {
  services = await startProxiedServices();
  database = new pg.Client(services.databaseUrl);
  await database.connect();
  await database.query("begin");
  // They run during the other tests.
  slow = Promise.all(services.proxies.map(callSlowly));
  slow.catch(() => {});
});
afterAll(async () => {
  await database?.end();
  await services.close();
});

for (const { name, program } of PROXIES) {
  const isHere = canRun(program);
  const title = isHere ? `behind ${name}` : `behind ${name} (skipped: ${program} or curl is missing)`;
  (isHere ? describe : describe.skip)(title, () => {
    const proxy = () => services.behind(name);

    test.each(WIRES)("a call and its error pass over %s", async (wire) => {
      const caller = services.createCaller(wire, proxy());
      await importUser(caller, `${program}-${wire}`);
      const rejected = await caller.call("ImportHumanUser", { ...human(""), profile: {} } as never);
      caller.close();
      expect(rejected).toMatchObject({ ok: false, reason: "INVALID_ARGUMENT" });
      expect(rejected).toHaveProperty("fields", ["profile.firstName", "profile.lastName", "userName"]);
    });

    test.each([
      ["--http1.1", "HTTP/1.1"],
      ["--http2", "HTTP/2"],
    ])("REST and pages pass with curl %s", async (option, version) => {
      const body = JSON.stringify(human(`${program}${option}`));
      const imported = await services.curl(proxy(), IMPORT_PATH, [option, ...services.jsonHeaders, "-d", body]);
      expect(imported).toMatch(new RegExp(`"userId".*\n200 ${version}\n$`));
      const browse = [option, "-L", "--cookie", "", "-H", "accept: text/html"];
      const page = await services.curl(proxy(), services.authorizePath, browse);
      expect(page).toMatch(new RegExp(`Demo[\\s\\S]*\n200 ${version}\n$`));
    });

    test("a user opens the link of an email, sets a password and signs in", async () => {
      const { publicUrl } = services;
      const address = `${program}@example.com`;
      await importUser(services.createCaller("rest", proxy()), address, { email: { email: address } });
      const sent = await until("the email arrives", () => services.smtp.arrived.find(({ to }) => to === address));
      const link = /https:\/\/\S+/.exec(sent.email.text ?? "")?.[0] ?? "";
      expect(link).toContain(`${publicUrl}/`);
      const person = createPerson({ origin: proxy().origin, config: { publicUrl }, responses: [] });
      await person.submit(await person.open(link), { password: PASSWORD, repeat: PASSWORD });
      const page = await person.open(services.authorizePath);
      const { url } = await person.submit(page, { username: address, password: PASSWORD });
      expect(url.href).toMatch(/^https:\/\/app\.example\.com\/signed-in\?code=/);

      const log = proxy().log();
      expect(log).toContain("/oauth/v2/authorize");
      // Neither the codes of links and sign-ins nor any other part of a query.
      expect(log).not.toMatch(/code=|client_id|\?/);
      expect(log).not.toContain(new URL(link).search.slice(1));
    });

    test("the first message of a stream arrives immediately, over gRPC and over gRPC-Web", async () => {
      const credentials = grpc.credentials.createSsl(readFileSync(proxy().caFile));
      const client = new grpc.Client(new URL(proxy().origin).host, credentials);
      const bytes = (message: Buffer) => message;
      const watch = client.makeServerStreamRequest("/grpc.health.v1.Health/Watch", bytes, bytes, Buffer.alloc(0));
      const status = await new Promise((resolve, reject) => watch.once("data", resolve).once("error", reject));
      watch.on("error", () => {}).cancel();
      client.close();
      expect(status).toEqual(SERVING);

      const response = await fetch(`${proxy().origin}/grpc.health.v1.Health/Watch`, {
        method: "POST",
        headers: { "content-type": "application/grpc-web+proto" },
        body: Buffer.alloc(5),
      });
      const reader = response.body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      await reader?.cancel();
      expect(Buffer.from(value ?? []).subarray(5, 7)).toEqual(SERVING);
    });

    test("a body that is too large gets Signet's error", async () => {
      const file = join(services.root, `${program}.json`);
      writeFileSync(file, JSON.stringify(TOO_LARGE));
      for (const version of ["--http1.1", "--http2"]) {
        const args = [version, ...services.jsonHeaders, "--data-binary", `@${file}`];
        expect(await services.curl(proxy(), IMPORT_PATH, args)).toMatch(/"reason":"BODY_TOO_LARGE"[\s\S]*\n413 /);
      }
      for (const wire of ["grpc", "grpc-web"] as const) {
        const caller = services.createCaller(wire, proxy());
        const outcome = await caller.call("ImportHumanUser", TOO_LARGE as never);
        caller.close();
        expect(outcome).toMatchObject({ ok: false, code: 8, reason: "BODY_TOO_LARGE" });
      }
    });

    test("limits apply to the address of the client, which it cannot forge", async () => {
      const number = services.proxies.indexOf(proxy());
      const [busy, other] = [`127.0.1.${number}`, `127.0.2.${number}`];
      // An address may open 30 wrong links in 15 minutes.
      const link = "/ui/init?code=01a20233-e6b7-7eba-944f-9f554cbd8fb5.UN98CHKCsCDe1-pv3glg3g";
      const ask = (from: string, count: number, args: readonly string[] = []) =>
        services.curl(proxy(), `${link}&n=[1-${count}]`, ["--interface", from, "-o", "/dev/null", ...args]);
      expect(await ask(busy, 35)).toContain("429 HTTP");
      for (const forged of ["203.0.113.7", "127.0.0.1", "203.0.113.8, 127.0.0.1"]) {
        expect(await ask(busy, 1, ["-H", `X-Forwarded-For: ${forged}`])).toContain("429 HTTP");
      }
      expect(await ask(other, 1)).not.toContain("429 HTTP");
      expect(proxy().log()).toContain(busy);
      expect(proxy().log()).not.toContain("203.0.113.7");
    });

    test("a request without TLS is redirected", async () => {
      const response = await fetch(`http://localhost:${proxy().httpPort}/healthz`, { redirect: "manual" });
      expect(response.status).toBe(308);
      expect(response.headers.get("location")).toMatch(/^https:\/\/localhost.*\/healthz$/);
    });
  });
}

interface Failure {
  readonly proxy: string;
  readonly wire: string;
  readonly what: string;
  readonly startedAt: number;
}

/** Imports users through all proxies over all wires, until `end` resolves with the names and the attempts that failed. */
function importUsers(prefix: string) {
  const names: string[] = [];
  const failures: Failure[] = [];
  /** The attempts since the last failure, by proxy and wire. */
  const streaks = new Map<string, number>();
  let isOver = false;

  /** Imports one after another. A failed attempt is repeated with the same idempotency key. */
  async function importOn(proxy: RunningProxy, wire: TestProtocol): Promise<void> {
    const caller = services.createCaller(wire, proxy);
    for (let number = 0; !isOver; number++) {
      const name = `${prefix}-${proxy.name}-${wire}-${number}`;
      names.push(name);
      await until(`${name} is imported`, async () => {
        const startedAt = performance.now();
        const headers = { "idempotency-key": name };
        const what = await importUser(caller, name, {}, headers).then(() => undefined, String);
        if (what !== undefined) failures.push({ proxy: proxy.name, wire, what, startedAt });
        const key = `${proxy.name} ${wire}`;
        streaks.set(key, what === undefined ? (streaks.get(key) ?? 0) + 1 : 0);
        return what === undefined;
      });
      // Leaves CPU time for a starting service.
      await setTimeout(25);
    }
    caller.close();
  }

  const load = Promise.all(services.proxies.flatMap((proxy) => WIRES.map((wire) => importOn(proxy, wire))));
  return {
    async served(count: number) {
      const from = names.length;
      await until(`${count} more are imported`, () => names.length >= from + count);
    },
    /** Waits until this many attempts in a row have succeeded through each proxy over each wire. */
    async recovered(count: number) {
      streaks.clear();
      const isOne = () =>
        streaks.size === services.proxies.length * WIRES.length &&
        [...streaks.values()].every((streak) => streak >= count);
      await until(`${count} attempts in a row succeed through each proxy`, isOne);
    },
    async end() {
      isOver = true;
      await load;
      return { names, failures };
    },
  };
}

test("when a service is stopped under load, no call fails through a proxy with health checks", async () => {
  const stopUnderLoad = async (round: number) => {
    const load = importUsers(`stop-${round}`);
    if (round > 1) await services.restart();
    await load.served(50);
    const { code } = await services.stop("SIGTERM");
    expect(code).toBe(0);
    const { failures } = await load.end();
    // nginx can send a request on a connection that the service is closing.
    return failures.filter(({ proxy }) => proxy !== "nginx");
  };
  // On a busy machine, a health check can be late.
  expect(await inRounds(stopUnderLoad, (failures) => failures.length === 0)).toEqual([]);
});

test("a request of 10 or 15 s gets Signet's error through each proxy", async () => {
  for (const { name, ...outcomes } of await slow) {
    expect({ name, ...outcomes }).toMatchObject({
      name,
      // Behind others in the queue of a process, a call fails because the service is busy, or at its deadline.
      overRest: { ok: false, reason: expect.stringMatching(/^(UNAVAILABLE|DEADLINE_EXCEEDED)$/) },
      overGrpc: { ok: false, reason: expect.stringMatching(/^(UNAVAILABLE|DEADLINE_EXCEEDED)$/) },
      unfinished: expect.stringMatching(/"reason":"DEADLINE_EXCEEDED"[\s\S]*\n504 /),
    });
  }
});

test("when a service is killed under load, the other one takes over, and no user is lost or imported twice", async () => {
  const load = importUsers("kill");
  await services.restart();
  await services.stop("SIGKILL");
  await load.recovered(20);
  const recoveredAt = performance.now();
  await load.served(100);
  await services.restart();
  const { names, failures } = await load.end();

  // Only open calls, or calls on a connection whose end the proxy had not yet noticed.
  expect(failures.filter(({ startedAt }) => startedAt > recoveredAt)).toEqual([]);
  const { rows } = (await database?.query("select user_name from users where user_name like 'kill-%'")) ?? { rows: [] };
  expect(rows.map(({ user_name }) => user_name).sort()).toEqual(names.sort());
});
