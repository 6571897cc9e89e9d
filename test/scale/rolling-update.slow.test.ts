import { createEmptyDatabase, type EmptyDatabase } from "../support/databases/empty-database.ts";
import { inRounds } from "../support/rounds.ts";
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

const WAITED = /^\d+ calls failed with (UNAVAILABLE|DEADLINE_EXCEEDED)$/;

/** Returns an error if calls have only waited for too long, as they can on a busy machine. */
async function update(version: EarlierVersion): Promise<Figures | Error> {
  const database = await createEmptyDatabase();
  databases.push(database);
  try {
    return await updateRolling(version, database.url, 5);
  } catch (error) {
    const problems = error instanceof Error ? error.message.split("; ") : [];
    if (error instanceof Error && problems.every((problem) => WAITED.test(problem))) return error;
    throw error;
  }
}

const title = "no call fails while processes of the earlier version are replaced one by one, and the tables migrated";
(earlier ? test : test.skip)(
  earlier ? title : `${title} (skipped: ${reason})`,
  async () => {
    if (earlier === undefined) return;
    const updated = await inRounds(
      () => update(earlier),
      (result) => !(result instanceof Error),
    );
    if (updated instanceof Error) throw updated;
    expect(updated).toMatchObject({ "calls that failed": 0 });
  },
  120_000,
);
