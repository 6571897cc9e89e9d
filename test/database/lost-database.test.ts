import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findLostDatabase, recordDatabase } from "../../src/database/lost-database.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "signet-lost-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function put(...names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(dataDir, name)), { recursive: true });
    if (name.endsWith("/")) mkdirSync(join(dataDir, name), { recursive: true });
    else writeFileSync(join(dataDir, name), "");
  }
}

describe("a data folder has lost its database", () => {
  test.each([
    ["where the record of one lies beside an empty folder", ["db/", "db.made"], "db.made"],
    ["where the record lies beside no folder", ["db.made"], "db.made"],
    ["where an earlier version left the master key", ["db/", "master.key", "admin.token"], "master.key"],
    ["where the folder has the rest of one", ["db/base/", "db.made", "master.key"], "db.made"],
    ["where the folder is a volume that is not mounted", ["db/lost+found/", "db.made"], "db.made"],
  ])("%s", (_what, names, trace) => {
    put(...names);
    expect(findLostDatabase(dataDir)).toBe(trace);
  });
});

describe("a data folder has lost no database", () => {
  test.each([
    ["where it is empty", []],
    ["where a first start was killed", ["lock", "pid", "db.new/base/", "socket/"]],
    ["where an empty volume is mounted for the first start", ["db/lost+found/", "lock", "pid"]],
    ["where a service on PostgreSQL keeps its files", ["admin.token", "mail/", "sms/"]],
    ["where there is a database without a record", ["db/PG_VERSION", "master.key"]],
    ["where there is a database", ["db/PG_VERSION", "db.made", "master.key"]],
  ])("%s", (_what, names) => {
    put(...names);
    expect(findLostDatabase(dataDir)).toBeUndefined();
  });
});

test("a data folder that does not exist has lost no database", () => {
  expect(findLostDatabase(join(dataDir, "nothing"))).toBeUndefined();
});

test("a database that is recorded and then removed is lost", () => {
  put("db/PG_VERSION");
  recordDatabase(dataDir);
  recordDatabase(dataDir);
  expect(findLostDatabase(dataDir)).toBeUndefined();
  rmSync(join(dataDir, "db"), { recursive: true });
  expect(findLostDatabase(dataDir)).toBe("db.made");
});
