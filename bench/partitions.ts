/**
 * Measures the cost of partitions per call: PostgreSQL's CPU time for one caller with sequential calls, by number of
 * partitions. Requires Linux.
 *
 * `node bench/partitions.ts [--users <number>] [--calls <number>] [--partitions 0,4,16]`
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { GetUserByIDRequestSchema } from "../gen/signet/v1/user_read_pb.js";
import { createId } from "../src/crypto/secrets.ts";
import { connect } from "../src/database/connection.ts";
import { migrate } from "../src/database/migrate.ts";
import { partitionTables } from "../src/database/partition.ts";
import { createRunTogether } from "../src/database/run-together.ts";
import { createOrg } from "../src/orgs/change-org.ts";
import { getUserById } from "../src/users/read/get-user-by-id.ts";
import { startPostgres } from "../test/support/databases/postgres.ts";
import { createOperations } from "../test/support/operations/operations.ts";
import { createPrincipalCall } from "../test/support/operations/principal.ts";

const { values: flags } = parseArgs({
  options: {
    users: { type: "string", default: "50000" },
    calls: { type: "string", default: "4000" },
    partitions: { type: "string", default: "0,4,16,32,64" },
  },
});
const [USERS, CALLS] = [Number(flags.users), Number(flags.calls)];
const ORGS = 100;
const clock = () => new Date();

const postgres = await startPostgres([
  "-c",
  "shared_buffers=512MB",
  "-c",
  "max_wal_size=4GB",
  "-c",
  "synchronous_commit=off",
]);
try {
  console.log("| partitions | GetUserByID | ImportHumanUser | UpdateHumanPhone |\n|---:|---:|---:|---:|");
  for (const partitions of flags.partitions.split(",").map(Number)) await measure(partitions);
} finally {
  await postgres.stop();
}

async function measure(partitions: number): Promise<void> {
  const name = `partitions_${partitions}`;
  await postgres.run(`create database ${name}`);
  const db = connect({ url: postgres.urlOf(name) }, 1, () => {}, { timeLimits: false });
  await migrate(db);
  const orgIds: string[] = [];
  for (let number = 0; number < ORGS; number++) orgIds.push(await createOrg({ db, clock }, `org-${number}`));
  await sql`
    insert into users (org_id, id, kind, user_name, user_name_key, first_name, last_name, display_name, gender, email, email_verified, sequence, created_at, changed_at)
    select orgs.id, gen_random_uuid(), 'human', 'filled-' || n, 'filled-' || n, 'Ada', 'Lovelace', 'Ada Lovelace', 0, 'ada@example.com', true, 1, now(), now()
    from orgs, generate_series(1, ${sql.lit(USERS / ORGS)}) as n`.execute(db);
  if (partitions > 0) await partitionTables(db, partitions);
  await sql`vacuum analyze`.execute(db);
  const { rows: users } = await sql<{ org_id: string; id: string }>`
    select org_id, id from users order by md5(id::text) limit 10000`.execute(db);
  const user = (number: number) => users[number % users.length] ?? { org_id: "", id: "" };
  const [instanceId, userId, orgId] = [createId(), createId(), ""];
  const runTogether = createRunTogether(db);
  const operations = createOperations({ runTogether, userId, instanceId, orgId, clock });
  const call = createPrincipalCall({ userId, instanceId });
  const { rows: sessions } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const pid = sessions[0]?.pid ?? 0;
  /** Microseconds of CPU per call. The first calls prepare the statement. */
  const perCall = async (run: (number: number) => Promise<void>) => {
    for (let number = 0; number < 200; number++) await run(number);
    const before = cpuTime(pid);
    for (let number = 200; number < 200 + CALLS; number++) await run(number);
    return (cpuTime(pid) - before) / CALLS / 1_000;
  };
  const figures = [
    await perCall(async (number) => {
      const { org_id, id } = user(number);
      await getUserById({ runTogether, isOneTimeCode: () => true }, create(GetUserByIDRequestSchema, { id }), {
        ...call,
        orgId: org_id,
      });
    }),
    await perCall(async (number) => {
      const email = { email: `ada-${number}@example.com`, isEmailVerified: true };
      await operations.importHuman({ userName: `ada-${number}`, email }, { orgId: orgIds[number % ORGS] ?? "" });
    }),
    await perCall(async (number) => {
      const { org_id, id } = user(number);
      await operations.setPhone(id, `+4178${1_000_000 + number}`, true, { orgId: org_id });
    }),
  ];
  console.log(`| ${partitions} | ${figures.map((figure) => `${Math.round(figure)} µs`).join(" | ")} |`);
  await operations.close();
  await db.destroy();
}

/** CPU time used by a process, in nanoseconds. */
function cpuTime(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]);
}
