import { CONSOLE_APP_ID } from "../../src/apps/console-app.ts";
import { findApp } from "../../src/apps/find-app.ts";
import type { Database } from "../../src/database/database.ts";
import { createRunTogether } from "../../src/database/run-together.ts";
import { ensureConsole } from "../../src/instance/ensure-console.ts";
import { setUpInstance } from "../../src/instance/set-up-instance.ts";
import { createTestDatabase, type TestDatabase } from "../support/databases/database.ts";

let database: TestDatabase;
let db: Database;
const clock = () => new Date();
beforeEach(async () => {
  database = await createTestDatabase("postgres", 8);
  db = database.db;
  await setUpInstance(db, undefined, clock());
});
afterEach(() => database.close());

const eventTypes = async () =>
  (
    await db
      .selectFrom("events")
      .select("type")
      .where("aggregate_id", "=", CONSOLE_APP_ID)
      .orderBy("sequence")
      .execute()
  ).map(({ type }) => type);

test("several processes that start at once add one application, which is public and belongs to the instance", async () => {
  await Promise.all(Array.from({ length: 8 }, () => ensureConsole({ db, clock }, "https://id.example.com")));
  expect(await findApp(createRunTogether(db), CONSOLE_APP_ID)).toMatchObject({
    orgId: null,
    type: "spa",
    authMethod: "none",
    secretHash: null,
    grantTypes: ["authorization_code"],
    redirectUris: ["https://id.example.com/console/signed-in"],
    postLogoutRedirectUris: ["https://id.example.com/console/signed-out"],
    additionalOrigins: [],
    apiAccess: true,
  });
  expect(await eventTypes()).toEqual(["app.oidc.added"]);
});

test("another PUBLIC_URL replaces the URIs, and the same one changes nothing", async () => {
  await ensureConsole({ db, clock }, "https://id.example.com");
  await ensureConsole({ db, clock }, "http://localhost:8080");
  await ensureConsole({ db, clock }, "http://localhost:8080");
  expect(await findApp(createRunTogether(db), CONSOLE_APP_ID)).toMatchObject({
    redirectUris: ["http://localhost:8080/console/signed-in"],
    postLogoutRedirectUris: ["http://localhost:8080/console/signed-out"],
    devMode: true,
  });
  expect(await eventTypes()).toEqual(["app.oidc.added", "app.oidc.changed"]);
});

test("a console that is disabled stays so", async () => {
  await ensureConsole({ db, clock }, "https://id.example.com");
  await db.updateTable("apps").set({ state: "inactive" }).where("id", "=", CONSOLE_APP_ID).execute();
  await ensureConsole({ db, clock }, "https://other.example.com");
  expect(await findApp(createRunTogether(db), CONSOLE_APP_ID)).toBeUndefined();
});
