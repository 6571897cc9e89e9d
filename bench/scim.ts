/**
 * Measures the first synchronization of a directory by SCIM: one user at a time, as Microsoft Entra ID sends them (a search
 * by name, then a new user; 32 users in flight), and by bulk requests of 50, against BulkImportHumanUsers with as many users
 * per request, and as many requests in flight as by bulk.
 *
 * `node bench/scim.ts [users] [rounds]`: by default, 50,000 in one round. Each way has an organization of its own, and
 * BulkImportHumanUsers comes before and after the others. Meanwhile, another organization changes phone numbers at a steady
 * rate; its p99 is compared with that of the time before. Prints the figures as JSON.
 */
import { Agent, request as sendRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { toUserId } from "./data.ts";
import { runLoad } from "./processes.ts";
import { median } from "./rounds.ts";
import { createSetting } from "./setting.ts";

const users = Number(process.argv[2] ?? 50_000);
const rounds = Number(process.argv[3] ?? 1);
/** Users in flight, one at a time. */
const CONCURRENCY = 32;
/** Users of a request, and requests in flight. */
const [TOGETHER, REQUESTS] = [50, 4];
/** Calls per second of the other organization, and those of which a p99 is taken. */
const [RATE, CALLS] = [100, 500];
const OTHERS = 1_000;

/** A way to create users: the requests of one runner, which begins with the given number, and how many it creates at once. */
interface Way {
  readonly runners: number;
  readonly step: number;
  readonly create: (org: Org, first: number, count: number) => Promise<void>;
}

interface Org {
  readonly id: string;
  readonly scimToken: string;
}

/** What a user took: the rate, and microseconds of CPU; and the p99 of the others, in milliseconds. */
interface Part {
  readonly rate: number;
  readonly server: number;
  readonly database: number;
  readonly p99: number;
}

const setting = await createSetting(OTHERS);
const server = await setting.startSignet();
const agent = new Agent({ keepAlive: true });
const WAYS: Readonly<Record<"import" | "oneByOne" | "bulk", Way>> = {
  import: { runners: REQUESTS, step: TOGETHER, create: importTogether },
  oneByOne: { runners: CONCURRENCY, step: 1, create: lookUpAndCreate },
  bulk: { runners: REQUESTS, step: TOGETHER, create: createByBulk },
};
let serial = 1;
let orgs = 0;
/** Responses of a busy service. */
let refused = 0;
try {
  for (const way of Object.values(WAYS)) await createAll(way, await createOrg(), 500);
  const ratios: { oneByOne: number[]; bulk: number[] } = { oneByOne: [], bulk: [] };
  for (let round = 0; round < rounds; round += 1) {
    const alone = await othersAlone();
    const before = await measure(WAYS.import);
    const [oneByOne, bulk] = [await measure(WAYS.oneByOne), await measure(WAYS.bulk)];
    const after = await measure(WAYS.import);
    const rate = (before.rate + after.rate) / 2;
    ratios.oneByOne.push(oneByOne.rate / rate);
    ratios.bulk.push(bulk.rate / rate);
    const parts = Object.entries({ before, oneByOne, bulk, after }).map(([name, part]) => [name, toLine(part, alone)]);
    console.log(JSON.stringify({ users, refused, aloneP99: alone, ...Object.fromEntries(parts) }));
  }
  console.log(JSON.stringify({ oneByOne: median(ratios.oneByOne), bulk: median(ratios.bulk) }));
} finally {
  agent.destroy();
  await server.stop();
  await setting.stop();
}

function toLine({ rate, server, database, p99 }: Part, alone: number): string {
  const cpu = `server ${Math.round(server)}, database ${Math.round(database)} µs`;
  return `${Math.round(rate)}/s, ${cpu}, p99 of others ${p99.toFixed(1)} ms = ${(p99 / alone).toFixed(2)} ×`;
}

async function measure(way: Way): Promise<Part> {
  const org = await createOrg();
  const stored = await setting.countUsers();
  const from = { server: server.cpuSeconds(), database: setting.databaseSeconds() };
  const startedAt = performance.now();
  let seconds = 0;
  const all = createAll(way, org, users).finally(() => {
    seconds = (performance.now() - startedAt) / 1_000;
  });
  // It is reported below, once the others have ended.
  all.catch(() => {});
  const p99s: number[] = [];
  while (seconds === 0) p99s.push(await callOthers());
  await all;
  const created = (await setting.countUsers()) - stored;
  if (created !== users) throw new Error(`${created} of ${users} users were created`);
  const of = (until: number, since: number) => ((until - since) / users) * 1e6;
  return {
    rate: users / seconds,
    server: of(server.cpuSeconds(), from.server),
    database: of(setting.databaseSeconds(), from.database),
    // The last one may have gone on alone.
    p99: median(p99s.length > 1 ? p99s.slice(0, -1) : p99s),
  };
}

async function othersAlone(): Promise<number> {
  return median([await callOthers(), await callOthers(), await callOthers()]);
}

/** Changes phone numbers in the first organization. Returns the p99 in milliseconds, from when each call was due. */
async function callOthers(): Promise<number> {
  const plan = { operation: "phone", form: "grpc", connections: 1, inFlight: 1, users: OTHERS, rate: RATE } as const;
  const load = {
    ...plan,
    port: server.port,
    tokens: setting.tokens,
    calls: CALLS,
    firstNumber: serial,
    warmUpCalls: 50,
  };
  serial += CALLS;
  return (await runLoad(load)).p99;
}

async function createOrg(): Promise<Org> {
  orgs += 1;
  const { id } = await send("/management/v1/orgs", setting.token, { name: `Organization ${orgs}` });
  const settings = { name: "Directory", addressRule: "SCIM_ADDRESS_RULE_SILENT" };
  const { token } = await send("/management/v1/scim", setting.token, settings, String(id));
  return { id: String(id), scimToken: String(token) };
}

async function createAll({ runners, step, create }: Way, org: Org, count: number): Promise<void> {
  let next = 0;
  const run = async () => {
    while (next < count) {
      const first = next;
      next += step;
      await create(org, first, Math.min(step, count - first));
    }
  };
  await Promise.all(Array.from({ length: runners }, run));
}

async function importTogether(org: Org, first: number, count: number): Promise<void> {
  const each = Array.from({ length: count }, (_, n) => ({ user: toImport(first + n) }));
  await send("/management/v1/users/human/_bulk", setting.token, { users: each }, org.id);
}

async function createByBulk({ scimToken }: Org, first: number, count: number): Promise<void> {
  const Operations = Array.from({ length: count }, (_, n) => {
    return { method: "POST", path: "/Users", bulkId: String(n), data: toResource(first + n) };
  });
  await send("/scim/v2/Bulk", scimToken, { Operations });
}

async function lookUpAndCreate({ scimToken }: Org, number: number): Promise<void> {
  const filter = encodeURIComponent(`userName eq "${toName(number)}"`);
  await send(`/scim/v2/Users?filter=${filter}`, scimToken);
  await send("/scim/v2/Users", scimToken, toResource(number));
}

function toName(number: number): string {
  return `user-${number}@example.com`;
}

function toImport(number: number): object {
  const externalId = Buffer.from(toUserId(number)).toString("base64");
  return {
    userName: toName(number),
    profile: { firstName: "Ada", lastName: "Lovelace", displayName: "Ada Lovelace" },
    email: { email: toName(number) },
    metadata: [{ key: "external_id", value: externalId }],
    message: "MESSAGE_NONE",
  };
}

/** The same user as Microsoft Entra ID sends it. */
function toResource(number: number): object {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
    ...{ externalId: toUserId(number), userName: toName(number), active: true, displayName: "Ada Lovelace" },
    emails: [{ primary: true, type: "work", value: toName(number) }],
    name: { formatted: "Ada Lovelace", familyName: "Lovelace", givenName: "Ada" },
    ...{ meta: { resourceType: "User" }, roles: [] },
  };
}

/** Sends a request, and again after a second while the service is busy, as directories do. */
function send(path: string, token: string, body?: object, orgId?: string): Promise<Record<string, unknown>> {
  const again = async () => {
    refused += 1;
    await delay(1_000);
    return await send(path, token, body, orgId);
  };
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { "content-type": "application/json" }),
      ...(orgId !== undefined && { "x-service-orgid": orgId }),
    };
    const options = { agent, port: server.port, host: "127.0.0.1", path, method: body ? "POST" : "GET", headers };
    const request = sendRequest(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.once("end", () => {
        const { statusCode = 0 } = response;
        // A request that was sent again finds the user that the first one has created.
        if (statusCode < 300 || statusCode === 409) resolve(JSON.parse(text));
        else if (statusCode === 429 || statusCode === 503) resolve(again());
        else reject(new Error(`${path}: ${statusCode} ${text.slice(0, 500)}`));
      });
    });
    request.once("error", reject).end(body && JSON.stringify(body));
  });
}
