import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { hashSecret } from "../../src/crypto/secrets.ts";
import { setUpInstance } from "../../src/instance/set-up-instance.ts";
import { createTestDatabase } from "../support/database.ts";

const folder = mkdtempSync(join(tmpdir(), "signet-set-up-"));
const tokenFile = join(folder, "admin.token");
afterAll(() => rmSync(folder, { recursive: true }));

/** Sets up an instance on an empty database. Returns the hash of its one token. */
async function setUp(): Promise<Buffer> {
  const { db, close } = await createTestDatabase("postgres", 1);
  try {
    expect(await setUpInstance(db, tokenFile, new Date())).toBe(true);
    const files = readdirSync(folder);
    expect(await setUpInstance(db, tokenFile, new Date())).toBe(false);
    expect(readdirSync(folder)).toEqual(files);
    return (await db.selectFrom("tokens").select("hash").executeTakeFirstOrThrow()).hash;
  } finally {
    await close();
  }
}

test("a first start keeps the tokens of other databases that the file has held", async () => {
  const hashes = [await setUp()];
  expect(readdirSync(folder)).toEqual(["admin.token"]);
  hashes.push(await setUp(), await setUp(), await setUp());
  const names = ["admin.token.previous", "admin.token.previous.2", "admin.token.previous.3", "admin.token"];
  expect(readdirSync(folder).sort()).toEqual([...names].sort());
  for (const [number, name] of names.entries()) {
    expect(hashSecret(readFileSync(join(folder, name), "utf8").trim())).toEqual(hashes[number]);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }
});
