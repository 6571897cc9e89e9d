import { createEmptyDatabase, type EmptyDatabase } from "../support/databases/empty-database.ts";
import { checkOut, type EarlierVersion, findEarlierRef } from "./earlier-version.ts";
import { updateRolling } from "./rolling-update.ts";
import type { Figures } from "./scenario.ts";

const ref = findEarlierRef();
const earlier = ref === undefined ? undefined : checkOut(ref, { install: false });
const reason = ref === undefined ? "git has no history" : "the earlier version needs other packages";
const databases: EmptyDatabase[] = [];
afterAll(async () => {
  for (const database of databases) await database.drop();
  earlier?.remove();
});

/** On a busy machine, a call can wait for the database for too long, but rarely in each of several rounds. */
const ROUNDS = 3;
const WAITED = /^\d+ calls failed with (UNAVAILABLE|DEADLINE_EXCEEDED)$/;

async function update(version: EarlierVersion, round = 1): Promise<Figures> {
  const database = await createEmptyDatabase();
  databases.push(database);
  try {
    return await updateRolling(version, database.url, 5);
  } catch (error) {
    const problems = error instanceof Error ? error.message.split("; ") : [];
    const hasOnlyWaited = problems.length > 0 && problems.every((problem) => WAITED.test(problem));
    if (!hasOnlyWaited || round === ROUNDS) throw error;
    return update(version, round + 1);
  }
}

const title = "no call fails while processes of the earlier version are replaced one by one, and the tables migrated";
(earlier ? test : test.skip)(
  earlier ? title : `${title} (skipped: ${reason})`,
  async () => {
    if (earlier === undefined) return;
    expect(await update(earlier)).toMatchObject({ "calls that failed": 0 });
  },
  120_000,
);
