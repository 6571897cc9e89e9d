import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request as sendRequest } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { createCertificate, hasOpenssl, testWithOpenssl } from "../support/servers/certificates.ts";
import {
  createProcesses,
  onPostgres,
  readToken,
  type TestProcess,
  type TestServer,
} from "../support/servers/process.ts";
import { until } from "../support/until.ts";

const WORKERS = 2;
const processes = createProcesses();
afterAll(() => processes.close());

interface Place {
  readonly server: TestServer;
  readonly variables: Record<string, string>;
  readonly token: string;
}

async function serveWorkers(name: string, more: Record<string, string> = {}, workers = WORKERS): Promise<Place> {
  const installation = await processes.createInstallation(name);
  const variables = { ...installation.variables, ...more };
  const server = await processes.serve(variables, ["--workers", String(workers)]);
  return { server, variables, token: readToken(installation.tokenFile) };
}

/** A line of the log. */
interface Line {
  readonly pid: number;
  readonly msg: string;
  readonly worker?: number;
  readonly requestId?: string;
  readonly code?: string;
}

/** The lines so far. The last one may be incomplete. */
function linesOf({ stderr }: TestProcess): Line[] {
  return stderr()
    .split("\n")
    .slice(0, -1)
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

/** Process ids of the started workers, in order. */
function startedBy(server: TestProcess): number[] {
  return linesOf(server).flatMap(({ msg, worker }) => (msg === "worker started" && worker ? [worker] : []));
}

/** A call that the service has started. */
interface Begun {
  readonly answer: Promise<{ status: number | string; requestId: string }>;
  /** Sends the body; resolves immediately if the connection is closed. */
  complete(): Promise<void>;
}

interface Call {
  readonly name: string;
  readonly password?: string;
  readonly agent?: Agent;
  /** Whether the body is sent by `complete`. */
  readonly isHeld?: boolean;
}

/** Sends an import over a separate connection without an agent, and resolves once a process has started it. */
async function begin({ server, token }: Place, { name, password, agent, isHeld = false }: Call): Promise<Begun> {
  const request = sendRequest(new URL(IMPORT_PATH, server.origin), {
    method: "POST",
    agent: agent ?? false,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", expect: "100-continue" },
  });
  const answer = new Promise<{ status: number | string; requestId: string }>((resolve) => {
    request.once("response", (response: IncomingMessage) => {
      const requestId = String(response.headers["x-request-id"]);
      response.resume().once("end", () => resolve({ status: response.statusCode ?? 0, requestId }));
    });
    request.once("error", (error) => resolve({ status: error.message, requestId: "" }));
  });
  request.flushHeaders();
  const isBegun = new Promise<boolean>((resolve) => {
    request.once("continue", () => resolve(true)).once("close", () => resolve(false));
  });
  const complete = async () => {
    if (!(await isBegun)) return;
    const body = { ...human(name), ...(password && { password }) };
    await new Promise<void>((sent) => request.end(JSON.stringify(body), () => sent()));
  };
  await (isHeld ? isBegun : complete());
  return { answer, complete };
}

let count = 0;

/** Imports a user. Returns the status and the process that responded. */
async function call(place: Place, agent?: Agent): Promise<{ status: number | string; pid: number }> {
  const { answer } = await begin(place, { name: `user-${++count}`, ...(agent && { agent }) });
  const { status, requestId } = await answer;
  return { status, pid: await pidOf(place.server, requestId) };
}

async function pidOf(server: TestServer, requestId: string): Promise<number> {
  const findPid = () => linesOf(server).find((line) => line.requestId === requestId)?.pid ?? 0;
  return await until(`a line has the request ${requestId}`, findPid);
}

/** An open connection to each of the workers. */
async function connectToEach(place: Place): Promise<Map<number, Agent>> {
  const agents = new Map<number, Agent>();
  await until("every worker has answered", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { pid } = await call(place, agent);
    if (agents.has(pid)) agent.destroy();
    else agents.set(pid, agent);
    return agents.size === WORKERS;
  });
  return agents;
}

describe("several processes", () => {
  let place: Place;
  beforeAll(async () => {
    place = await serveWorkers("several", { HASH_THREADS: "", SHUTDOWN_DELAY_MS: "3600000" });
  });

  test("prints its address once, when all workers listen", async () => {
    expect(place.server.stdout().match(/Signet serves/g)).toHaveLength(1);
    expect(place.server.stdout()).toContain(`  API        ${place.server.origin}\n`);
    const listening = () => linesOf(place.server).filter(({ msg }) => msg === "listening");
    await until("each has written that it listens", () => listening().length === WORKERS);
    expect(
      listening()
        .map(({ pid }) => pid)
        .sort(),
    ).toEqual(startedBy(place.server).sort());
    expect(new Set([place.server.child.pid, ...startedBy(place.server)]).size).toBe(1 + WORKERS);
  });

  test("serves HTTP/1.1 and HTTP/2 from each worker, and each worker is ready", async () => {
    const calls = await Promise.all(Array.from({ length: 8 }, () => call(place)));
    expect(calls.map(({ status }) => status)).toEqual(Array(8).fill(200));

    const agents = await connectToEach(place);
    expect(new Set(agents.keys())).toEqual(new Set(startedBy(place.server)));
    for (const [pid, agent] of agents) {
      expect(await call(place, agent)).toEqual({ status: 200, pid });
      const request = sendRequest(new URL("/readyz", place.server.origin), { agent }).end();
      const [response] = await once(request, "response");
      expect(response.resume().statusCode).toBe(200);
      await once(response, "end");
      agent.destroy();
    }
    const sessions = Array.from({ length: WORKERS }, () => connectHttp2(place.server.origin));
    for (const session of sessions) {
      const [headers] = await once(session.request({ ":path": "/readyz" }).resume(), "response");
      expect(headers[":status"]).toBe(200);
      session.destroy();
    }
  });

  const testOnLinux = process.platform === "linux" ? test : test.skip;
  testOnLinux("divides the cores among the workers for hashing", () => {
    const threads = Math.max(1, Math.floor(availableParallelism() / WORKERS));
    for (const pid of startedBy(place.server)) {
      const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      expect(variables).toContain(`HASH_THREADS=${threads}`);
    }
  });

  test("rejects a revoked token in each worker immediately", async () => {
    const created = await processes.runHere(
      ["token", "create", "revoked", "--role", "INSTANCE_USER_MANAGER", "--json"],
      place.variables,
      { mayPrintToken: true },
    );
    const { id, token } = JSON.parse(created.stdout);
    const holder = { ...place, token };
    const agents = await connectToEach(holder);
    expect(await processes.runHere(["token", "revoke", id], place.variables)).toMatchObject({ code: 0 });
    for (const [pid, agent] of agents) {
      expect(await call(holder, agent)).toEqual({ status: 401, pid });
      agent.destroy();
    }
  });

  test("replaces a killed worker, and no later call fails", async () => {
    const [killed = 0, other] = startedBy(place.server);
    process.kill(killed, "SIGKILL");
    await until("the primary has seen it", () =>
      linesOf(place.server).some(({ msg, worker }) => worker === killed && /^worker exited/.test(msg)),
    );
    const pids = new Set<number>();
    await until("another one answers", async () => {
      const { status, pid } = await call(place);
      expect(status).toBe(200);
      return pids.add(pid).size === WORKERS;
    });
    expect(pids).toEqual(new Set([other, startedBy(place.server).at(-1)]));
    expect(place.server.stdout().match(/Signet serves/g)).toHaveLength(1);
  });

  test("loses at most one connection when a worker is killed while connections arrive, and no client hangs", async () => {
    const pids = startedBy(place.server).slice(-WORKERS);
    const [killed = 0, other = 0] = pids;
    // Now they do not accept connections: each is being passed one, and the others wait.
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    const begun = Array.from({ length: WORKERS + 2 }, (_, number) => begin(place, { name: `handed-${number}` }));
    try {
      process.kill(killed, "SIGKILL");
      await until("another one starts", () => startedBy(place.server).at(-1) !== pids.at(-1));
    } finally {
      process.kill(other, "SIGCONT");
    }
    const responses = await Promise.all(begun.map(async (each) => (await (await each).answer).status));
    expect(responses.filter((status) => status !== 200).length).toBeLessThanOrEqual(1);
  });

  test("does not let a second service use its port, and keeps serving", async () => {
    const PORT = new URL(place.server.origin).port;
    const { variables } = await processes.createInstallation("same-port");
    const second = await processes.runHere(["serve", "--workers", "2"], { ...variables, PORT });
    expect(second).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `signet: PORT is invalid: port ${PORT} is already in use on 127.0.0.1\n`,
    });
    expect(await call(place)).toMatchObject({ status: 200 });
  });

  test("ignores SIGINT in the workers; on SIGINT in the primary no worker is ready, but each serves until the next one", async () => {
    const { server } = place;
    // A worker that is still starting does not ignore it yet.
    for (const [pid, agent] of await connectToEach(place)) {
      process.kill(pid, "SIGINT");
      agent.destroy();
    }
    expect((await Promise.all([call(place), call(place)])).map(({ status }) => status)).toEqual([200, 200]);
    server.child.kill("SIGINT");
    await until(
      "each worker is not ready",
      () => linesOf(server).filter(({ msg }) => /^not ready/.test(msg)).length === WORKERS,
    );
    const signaledAt = performance.now();
    const ready = () => send(server.origin, "GET", "/readyz");
    expect(await Promise.all([ready(), ready()])).toMatchObject([{ status: 503 }, { status: 503 }]);
    expect((await Promise.all([call(place), call(place)])).map(({ status }) => status)).toEqual([200, 200]);
    await until("a second signal counts", () => performance.now() - signaledAt > 1_100);
    expect(await server.stop("SIGINT")).toMatchObject({ code: 0 });
    await expect(send(place.server.origin, "GET", "/healthz")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});

describe("a stop of several processes", () => {
  test("finishes the running calls of each worker, and exits with 0", async () => {
    const place = await serveWorkers("draining", { SHUTDOWN_DELAY_MS: "1" });
    const { server } = place;
    const isDraining = () => linesOf(server).filter(({ msg }) => msg === "draining").length === WORKERS;
    const password = processes.secret("correct horse battery");
    const begun: Begun[] = [];
    for (let number = 0; number < 2 * WORKERS; number++) {
      begun.push(await begin(place, { name: `draining-${number}`, password, isHeld: true }));
    }
    // As `systemctl stop` does, which signals all processes of a service at once.
    for (const pid of startedBy(server)) process.kill(pid, "SIGTERM");
    server.child.kill("SIGTERM");
    await until("all workers drain", isDraining);
    await Promise.all(begun.map(({ complete }) => complete()));
    expect(await server.ended).toMatchObject({ code: 0 });
    const responses = await Promise.all(begun.map(({ answer }) => answer));
    expect(responses.map(({ status }) => status)).toEqual(Array(2 * WORKERS).fill(200));
    // Each served its share after the delay.
    const lines = linesOf(server);
    for (const pid of startedBy(server)) {
      const own = lines.filter((line) => line.pid === pid).map(({ msg, code }) => (msg === "call" ? code : msg));
      expect(own).toEqual(["listening", expect.stringMatching(/^not ready/), "draining", "ok", "ok", "stopped"]);
    }
    expect(lines.at(-1)).toMatchObject({ pid: server.child.pid, msg: "stopped" });
  });

  test("is immediate on a second signal after a second", async () => {
    const place = await serveWorkers("impatient");
    const { server } = place;
    const { answer } = await begin(place, { name: "late", isHeld: true });
    server.child.kill("SIGTERM");
    await until("a worker drains", () =>
      linesOf(server).some(({ pid, msg }) => pid !== server.child.pid && msg === "draining"),
    );
    expect(server.child.exitCode).toBeNull();
    await until("the primary ends", () => !server.child.kill("SIGTERM") || server.child.exitCode !== null);
    // Resolves once no process holds the output, so when the workers have exited too.
    expect(await server.ended).toMatchObject({ code: 1 });
    expect(await answer).toMatchObject({ status: "socket hang up" });
  });

  test("leaves no process behind after a kill -9 of the primary", async () => {
    const place = await serveWorkers("orphans", { BCRYPT_COST: "16" });
    const { server } = place;
    await Promise.all([1, 2].map((number) => begin(place, { name: `${number}`, password: "correct horse battery" })));
    // Resolves once no process holds the output.
    expect(await server.stop("SIGKILL")).toMatchObject({ signal: "SIGKILL" });
    await expect(send(server.origin, "GET", "/healthz")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test("happens with exit code 1 and one line when a worker crashes in a loop", async () => {
    const { server } = await serveWorkers("dying");
    process.kill(startedBy(server)[0] ?? 0, "SIGKILL");
    let hasEnded = false;
    void server.ended.then(() => {
      hasEnded = true;
    });
    // On a busy machine, a worker may be killed too late to count.
    for (let successor = WORKERS; !hasEnded; successor++) {
      await until("the next one starts, or none", () => hasEnded || startedBy(server).length > successor);
      if (!hasEnded) process.kill(startedBy(server)[successor] ?? 0, "SIGKILL");
    }
    const { code, stderr } = await server.ended;
    expect(code).toBe(1);
    expect(stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"))).toEqual([
      "signet: crash loop: a worker exited 5 times in a row soon after its start (SIGKILL)",
    ]);
  });
});

describe("one worker per core", () => {
  const tls = hasOpenssl ? createCertificate(processes.root) : undefined;
  // On a machine with one core, --workers 0 starts no worker.
  const workers = availableParallelism() === 1 ? WORKERS : 0;
  let place: Place;
  beforeAll(async () => {
    place = await serveWorkers("cores", tls && { TLS_CERT_FILE: tls.cert, TLS_KEY_FILE: tls.key }, workers);
  });

  test("starts with --workers 0", () => {
    expect(startedBy(place.server)).toHaveLength(workers || availableParallelism());
  });

  testWithOpenssl("serves TLS from each worker", async () => {
    const { server, token } = place;
    const served = new Set<number>();
    await until("every worker has answered", async () => {
      const session = connectHttp2(server.origin, { ca: readFileSync(tls?.cert ?? "") });
      const call = session.request({
        ":method": "POST",
        ":path": IMPORT_PATH,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      });
      call.end(JSON.stringify(human(`tls-${++count}`)));
      const [headers] = await once(call.resume(), "response");
      expect(headers[":status"]).toBe(200);
      session.destroy();
      served.add(await pidOf(server, String(headers["x-request-id"])));
      return served.size === startedBy(server).length;
    });
    expect(served).toEqual(new Set(startedBy(server)));
  });

  test("waits at a stop for a replacement worker that is still starting", async () => {
    const { server } = place;
    const count = startedBy(server).length;
    process.kill(startedBy(server)[0] ?? 0, "SIGKILL");
    await until("another one starts", () => startedBy(server).length > count);
    const successor = startedBy(server).at(-1);
    expect(await server.stop()).toMatchObject({ code: 0 });
    const own = linesOf(server).filter(({ pid }) => pid === successor);
    expect(own.map(({ msg }) => msg)).toEqual(["listening", "draining", "stopped"]);
    expect(linesOf(server).at(-1)).toMatchObject({ pid: server.child.pid, msg: "stopped" });
  });
});

describe("the start of several processes", () => {
  test("fails with one line if a worker exits before all workers listen", async () => {
    const { variables } = await processes.createInstallation("too-early");
    const killOne = async () => {
      const server = processes.spawn(["serve", "--workers", "2"], variables);
      process.kill(await until("a worker starts", () => startedBy(server)[0] ?? 0), "SIGKILL");
      await until("the primary has seen it", () => server.child.exitCode !== null || isReplaced(server));
      return await server.stop("SIGKILL");
    };
    const isReplaced = (server: TestProcess) => linesOf(server).some(({ msg }) => /^worker exited/.test(msg));
    // On a busy machine, all workers may listen before one is killed.
    const { code, stdout, stderr } = await until("a worker is killed before all listen", async () => {
      const ended = await killOne();
      return ended.code !== null && ended;
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^signet: a worker exited before all workers were listening \(SIGKILL\)$/m);
  });

  test("exits with 0 and prints nothing if it is stopped in the meantime", async () => {
    const { variables } = await processes.createInstallation("early");
    // On a busy machine, all workers may listen before the signal arrives.
    await until("a signal arrives before all workers listen", async () => {
      const server = processes.spawn(["serve", "--workers", "2"], variables);
      await until("both start", () => startedBy(server).length === WORKERS);
      const { code, stdout } = await server.stop();
      expect(code).toBe(0);
      return stdout === "";
    });
  });

  test.each(["0", "2"])("fails on the embedded database (--workers %s)", async (workers) => {
    const outcome = await processes.runHere(["serve", "--workers", workers], {
      DATA_DIR: join(processes.root, "embedded"),
    });
    expect(outcome).toEqual({
      code: 1,
      signal: null,
      stdout: "",
      stderr: `signet: --workers is invalid: expected 1 with the embedded database, got ${workers}; set DATABASE_URL to use more\n`,
    });
  });

  test.each(["-1", "1.5", "many", ""])("fails with %j as the number of workers", async (workers) => {
    const outcome = await processes.runHere(["serve", "--workers", workers]);
    expect(outcome).toMatchObject({ code: 2, stdout: "" });
    expect(outcome.stderr).toContain("Expected an integer from 0 to 256.");
  });

  test("fails with one line if the database cannot be reached", async () => {
    const variables = onPostgres("postgres://signet@127.0.0.1:1/signet");
    expect(await processes.runHere(["serve", "--workers", "2"], variables)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "signet: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n",
    });
  });
});
