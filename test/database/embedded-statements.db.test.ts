import { sql } from "kysely";
import { readStatements } from "../../scripts/sql/read-statements.ts";
import { createTestDatabase, type TestDatabase } from "../support/databases/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase("embedded");
});
afterAll(() => database?.close());

test("the embedded database prepares every statement of the service", async () => {
  const refused: string[] = [];
  const statements = await readStatements();
  for (const { sql: text } of statements) {
    const prepared = sql`prepare statement as ${sql.raw(text)}`.execute(database.db);
    const isPrepared = await prepared.then(
      () => true,
      (error: Error) => void refused.push(`${error.message}: ${text}`),
    );
    if (isPrepared) await sql`deallocate statement`.execute(database.db);
  }
  expect(refused).toEqual([]);
  expect(statements.length).toBeGreaterThan(200);
});
