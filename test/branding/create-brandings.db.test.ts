import { randomUUID } from "node:crypto";
import { createBrandings } from "../../src/branding/create-brandings.ts";
import { createTestDatabase, watchQueries } from "../support/databases/database.ts";

const ORGS = 100;
const at = new Date(0);

test("replaced texts of messages count in the memory for brandings", async () => {
  const database = await createTestDatabase("embedded");
  const owners = Array.from({ length: ORGS }, () => randomUUID());
  const texts = JSON.stringify({ "en/initialization": { subject: "", text: "x".repeat(100_000), button: "" } });
  await database.db
    .insertInto("brandings")
    .values(
      owners.map((owner_id) => ({ owner_id, id: randomUUID(), texts, sequence: 1n, created_at: at, changed_at: at })),
    )
    .execute();
  let queries = 0;
  const db = watchQueries(database.db, () => void queries++);
  const brandings = createBrandings({ db, clock: () => at });
  for (const owner of owners) await brandings.find(owner);
  await brandings.find(owners.at(-1));
  expect(queries).toBe(ORGS);
  // Together, they are larger than the memory, so the first ones are gone.
  await brandings.find(owners[0]);
  expect(queries).toBe(ORGS + 1);
  await database.close();
});
