/**
 * Measures what a newcomer sees on the embedded database after an import: the console's lists and its first page, and the
 * sign-in of another user meanwhile.
 *
 * `node bench/first-hour.ts [--users <number>] [--rounds <number>]`
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import pg from "pg";
import { createSignetClient } from "../clients/typescript/src/node.ts";
import { EVENT_KINDS } from "../console/screens/audit/event-kinds.ts";
import { embeddedAddress } from "../src/database/embedded.ts";
import { freePort } from "../test/support/free-port.ts";
import { toImportRequest } from "./data.ts";
import { addPeople, PASSWORD, PEOPLE } from "./people.ts";
import { startServer } from "./processes.ts";
import { createRelyingParty } from "./relying-party.ts";

const { values: flags } = parseArgs({
  options: { users: { type: "string", default: "20000" }, rounds: { type: "string", default: "10" } },
});
const USERS = Number(flags.users);
const ROUNDS = Number(flags.rounds);
/** Users of each call, and calls in flight. */
const [BATCH, IN_FLIGHT] = [50, 8];
const DAY_MS = 86_400_000;

const folder = mkdtempSync(join(tmpdir(), "signet-bench-"));
const port = await freePort();
const server = await startServer(port, ["bin/signet.js", "serve"], {
  DATA_DIR: folder,
  LOG_LEVEL: "warn",
  PUBLIC_URL: "http://localhost:8080",
  TRUSTED_PROXIES: "127.0.0.1",
  PASSKEY_OFFER: "never",
});
const client = new pg.Client({ host: embeddedAddress(folder), port: 5432, user: "postgres", database: "postgres" });
await client.connect();
try {
  const token = readFileSync(join(folder, "admin.token"), "utf8").trim();
  const { management, admin } = createSignetClient({ baseUrl: `http://127.0.0.1:${port}`, token });
  const app = await createRelyingParty(client);
  await addPeople(client, "bcrypt", "person-");

  const since = performance.now();
  await importUsers();
  console.log(`import of ${USERS} users: ${((performance.now() - since) / 1_000).toFixed(1)} s`);

  const orgId = (await management.getMyOrg({})).org?.id ?? "";
  const eventsOf = (kind: "signIns" | "failures" | "newUsers") => () =>
    management.listEvents({
      limit: 1_000,
      eventTypes: [...EVENT_KINDS[kind]],
      creationDateFilter: { case: "range", value: { since: timestampFromDate(new Date(Date.now() - DAY_MS)) } },
    });
  const messages = (state: number) => () => management.listUserMessages({ query: { limit: 1 }, state });
  const pages: Readonly<Record<string, readonly (() => Promise<unknown>)[]>> = {
    "events of a type": [eventsOf("signIns")],
    "events without a type": [() => management.listEvents({ limit: 100 })],
    "events of the instance": [() => admin.listEvents({ limit: 100, resourceOwner: orgId, eventTypes: ["org.added"] })],
    users: [() => management.listUsers({ query: { limit: 50 } })],
    Overview: [
      ...[eventsOf("signIns"), eventsOf("failures"), eventsOf("newUsers"), messages(1), messages(3)],
      () =>
        management.listUsers({ query: { limit: 1 }, queries: [{ query: { case: "typeQuery", value: { type: 1 } } }] }),
      ...[() => management.listApps({ query: { limit: 1 } }), () => management.listOrgIDPs({ query: { limit: 1 } })],
      () => admin.listIAMMembers({ query: { limit: 100 } }),
    ],
  };
  for (const [name, calls] of Object.entries(pages)) {
    let signIns = 0;
    const isOver = { value: false };
    const signInTimes: number[] = [];
    const signingIn = (async () => {
      while (!isOver.value) {
        const user = `person-${signIns++ % PEOPLE}`;
        await measure(signInTimes, () => app.signIn(port, user, PASSWORD));
      }
    })();
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // Two people at once.
      await Promise.all([1, 2].map(() => measure(times, () => Promise.all(calls.map((call) => call())))));
    }
    isOver.value = true;
    await signingIn;
    console.log(`${name}: ${describe(times)}; sign-in meanwhile: ${describe(signInTimes)}`);
  }
  async function importUsers(): Promise<void> {
    let next = 0;
    const importSome = async () => {
      while (next < USERS) {
        const first = next;
        next += BATCH;
        const users = Array.from({ length: Math.min(BATCH, USERS - first) }, (_, at) => ({
          user: toImportRequest(first + at),
        }));
        const { results } = await management.bulkImportHumanUsers({ users } as never);
        for (const { result } of results) if (result.case === "error") throw new Error(result.value.message);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, importSome));
  }
} finally {
  await client.end();
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function measure(times: number[], call: () => Promise<unknown>): Promise<void> {
  const since = performance.now();
  await call();
  times.push(performance.now() - since);
}

function describe(times: number[]): string {
  times.sort((a, b) => a - b);
  const at = (share: number) => `${Math.round(times[Math.floor((times.length - 1) * share)] ?? 0)} ms`;
  return `p50 ${at(0.5)}, most ${at(1)} of ${times.length}`;
}
