/**
 * Measures how long calls of one organization take while another one with many users is removed, compared with the time
 * before. Requires Linux.
 *
 * `node bench/remove-org.ts [--users <number>] [--rate <calls per second>] [--seconds <number>]`
 *
 * The calls are `GetUserByID` and `UpdateHumanPhone`, in turns, at a steady rate, over gRPC. `--seconds` is the time before
 * the removal, after ten seconds that do not count; the time during it is as long as the removal takes.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type CallOptions, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import type pg from "pg";
import { AdminService } from "../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../gen/signet/v1/management_pb.js";
import { type NewInstance, withNewInstance } from "./new-instance.ts";

const { values: flags } = parseArgs({
  options: {
    users: { type: "string", default: "1000000" },
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "30" },
  },
});
const [USERS, RATE, SECONDS] = [flags.users, flags.rate, flags.seconds].map(Number) as [number, number, number];
/** Users of the other organization. */
const OTHERS = 1_000;

await withNewInstance(run);

async function run({ client, port, token }: NewInstance): Promise<void> {
  const transport = createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` });
  const [admin, management] = [createClient(AdminService, transport), createClient(ManagementService, transport)];
  const options = (orgId?: string): CallOptions => ({
    headers: { authorization: `Bearer ${token}`, ...(orgId !== undefined && { "x-service-orgid": orgId }) },
  });
  const { id: removed } = await management.addOrg({ name: "Removed" }, options());
  const { id: other } = await management.addOrg({ name: "Other" }, options());
  await addUsers(client, removed, USERS);
  const others = await addUsers(client, other, OTHERS);
  await client.query("vacuum analyze");

  let turn = 0;
  const call = async () => {
    const userId = others[turn % others.length] ?? "";
    const phone = `+4179${1_000_000 + turn}`;
    await (turn++ % 2 === 0
      ? management.getUserByID({ id: userId }, options(other))
      : management.updateHumanPhone({ userId, phone, isPhoneVerified: true }, options(other)));
  };
  await callSteadily(call, (elapsedMs) => elapsedMs < 10_000);
  report("before", await callSteadily(call, (elapsedMs) => elapsedMs < SECONDS * 1_000));
  const startedAt = performance.now();
  let erasedUsers = 0n;
  let isComplete = false;
  const removal = (async () => {
    while (!isComplete) {
      ({ erasedUsers, isComplete } = await admin.removeOrg({ orgId: removed, confirmName: "Removed" }, options()));
      await delay(1_000);
    }
  })();
  const during = await callSteadily(call, () => !isComplete);
  await removal;
  console.log(`${erasedUsers} users erased in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  report("during the removal", during);
}

/** Human users with three events, a link, a code and metadata each. Returns the ids of at most `OTHERS`. */
async function addUsers(client: pg.Client, orgId: string, count: number): Promise<string[]> {
  const { rows } = await client.query(
    `with added as (
      insert into users (org_id, id, kind, user_name, user_name_key, first_name, last_name, display_name, gender, email,
        email_verified, sequence, created_at, changed_at)
      select $1, gen_random_uuid(), 'human', 'user-' || n, 'user-' || n, 'Ada', 'Lovelace', 'Ada Lovelace ' || n, 0,
        'user-' || n || '@example.com', true, 3, now(), now()
      from generate_series(1, $2::integer) as n returning id
    ), appended as (
      insert into events (owner_id, aggregate_id, sequence, type, created_at, payload)
      select $1, id, n, 'user.human.profile.changed', now(), '{"firstName":"Ada","lastName":"Lovelace"}'
      from added cross join generate_series(1, 3) as n
    ), coded as (
      insert into codes (org_id, id, user_id, kind, secret_hash, created_at)
      select $1, gen_random_uuid(), id, 'password', '', now() from added
    ), kept as (
      insert into user_metadata (org_id, user_id, key, value, sequence, created_at, changed_at)
      select $1, id, 'plan', 'pro', 1, now(), now() from added
    )
    select id from added limit ${OTHERS}`,
    [orgId, count],
  );
  return rows.map(({ id }) => String(id));
}

/** Makes calls at the rate, however long they take. Returns their times in milliseconds. */
async function callSteadily(call: () => Promise<void>, goesOn: (elapsedMs: number) => boolean): Promise<number[]> {
  const times: number[] = [];
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let sent = 0; goesOn(performance.now() - startedAt); sent++) {
    const ahead = (sent / RATE) * 1_000 - (performance.now() - startedAt);
    if (ahead > 0) await delay(ahead);
    const sentAt = performance.now();
    const one = call().then(() => {
      times.push(performance.now() - sentAt);
      running.delete(one);
    });
    running.add(one);
  }
  await Promise.all(running);
  return times;
}

function report(when: string, times: number[]): void {
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  console.log(`${when}: ${times.length} calls, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, p99.9 ${at(0.999)} ms`);
}
