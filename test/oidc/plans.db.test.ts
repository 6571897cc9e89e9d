import { expect, test } from "@jest/globals";
import { sql } from "kysely";
import { findArtifact, findSessionByUid } from "../../src/oidc/find-artifacts.ts";
import { findPendingSignIn } from "../../src/oidc/pending-sign-in.ts";
import { createTestDatabase } from "../support/database.ts";

/** The tables that grow. Plans are kept while they grow, until they are analyzed. */
const GROWING = /Seq Scan on (users|apps|orgs|oidc_artifacts)\b/;

test("the lookups of a sign-in use indexes even if they are planned for empty tables", async () => {
  const { db, close } = await createTestDatabase("postgres", 1);
  await sql`set plan_cache_mode = force_generic_plan`.execute(db);
  const now = new Date();
  await findPendingSignIn(db, "id", now);
  for (const kind of ["Interaction", "Session"]) await findArtifact({ db, now }, kind, "id");
  await findSessionByUid({ db, now }, "uid");
  const { rows: statements } = await sql<{ name: string; count: number }>`
    select name, cardinality(parameter_types) as count from pg_prepared_statements
    where statement like '%oidc_artifacts%'`.execute(db);
  expect(statements).toHaveLength(4);
  for (const { name, count } of statements) {
    const values = Array(count).fill("null").join();
    const { rows } = await sql`${sql.raw(`explain execute "${name}" (${values})`)}`.execute(db);
    const plan = JSON.stringify(rows);
    expect(plan).toContain("Index Scan using oidc_artifacts__");
    expect(plan).not.toMatch(GROWING);
  }
  await close();
});
