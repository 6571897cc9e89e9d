import { createEmptyDatabase, type EmptyDatabase } from "../support/databases/empty-database.ts";
import { checkOut, findEarlierRef } from "./earlier-version.ts";
import { updateRolling } from "./rolling-update.ts";

const ref = findEarlierRef();
const earlier = ref === undefined ? undefined : checkOut(ref, { install: false });
const reason = ref === undefined ? "git has no history" : "the earlier version needs other packages";
let database: EmptyDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(async () => {
  await database.drop();
  earlier?.remove();
});

const title = "no call fails while processes of the earlier version are replaced one by one, and the tables migrated";
(earlier ? test : test.skip)(
  earlier ? title : `${title} (skipped: ${reason})`,
  async () => {
    if (earlier === undefined) return;
    expect(await updateRolling(earlier, database.url, 5)).toMatchObject({ "calls that failed": 0 });
  },
  120_000,
);
