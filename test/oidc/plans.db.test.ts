import { sql } from "kysely";
import { findApp } from "../../src/apps/find-app.ts";
import { NIL_ID } from "../../src/crypto/secrets.ts";
import { createRunTogether } from "../../src/database/run-together.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { findAccountRow } from "../../src/oidc/accounts.ts";
import { createAdapter } from "../../src/oidc/adapter.ts";
import { findArtifact, findSession, findSessionByUid } from "../../src/oidc/find-artifacts.ts";
import { findInteraction } from "../../src/oidc/find-interaction.ts";
import { createDirectIntrospection } from "../../src/oidc/introspection.ts";
import { storeArtifact } from "../../src/oidc/store-artifact.ts";
import { createDirectUserinfo } from "../../src/oidc/userinfo.ts";
import { createTestDatabase } from "../support/databases/database.ts";

/** The tables that grow. Plans are kept while they grow, until they are analyzed. */
const GROWING = /Seq Scan on (users|apps|orgs|oidc_artifacts)\b/;

test("the statements of sign-ins and tokens use indexes even if they are planned for empty tables", async () => {
  const { db, close } = await createTestDatabase("postgres", 1);
  await sql`set plan_cache_mode = force_generic_plan`.execute(db);
  const now = new Date();
  await findInteraction(db, "id", now);
  const runTogether = createRunTogether(db);
  await storeArtifact(runTogether, { kind: "Interaction", id: "id", payload: {}, expiresAt: now, now });
  const adapter = createAdapter({ db, runTogether, clock: () => now, nextToken: (token) => token }, "Interaction");
  await adapter.consume("id");
  await adapter.destroy("id");
  await findArtifact({ runTogether, now }, "Interaction", "id");
  await findSession({ runTogether, now }, "Session", "id");
  await findSessionByUid({ runTogether, now }, "uid");
  await findApp(runTogether, NIL_ID);
  await findAccountRow(runTogether, NIL_ID, NIL_ID);
  const parts = {
    runTogether,
    clock: () => now,
    clientHosts: [],
    issuer: "https://id.example.com",
  };
  const bearer = { authorization: "Bearer token" };
  await createDirectUserinfo(parts)({ method: "GET", query: "", headers: bearer } as Exchange);
  const form = new URLSearchParams({ client_id: NIL_ID, token: "token" });
  await createDirectIntrospection(parts)({ headers: {} } as Exchange, form);
  const { rows: statements } = await sql<{ name: string; count: number }>`
    select name, cardinality(parameter_types) as count from pg_prepared_statements
    where statement like '%"asked"%' or statement like '%oidc_artifacts%'`.execute(db);
  expect(statements).toHaveLength(11);
  for (const { name, count } of statements) {
    const values = Array(count).fill("null").join();
    const { rows } = await sql`${sql.raw(`explain execute "${name}" (${values})`)}`.execute(db);
    const plan = JSON.stringify(rows);
    expect(plan).toMatch(/Index Scan using (?:oidc_artifacts|users|apps)__/);
    expect(plan).not.toMatch(GROWING);
  }
  await close();
});
