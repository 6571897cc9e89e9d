import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashSecret } from "../../src/crypto/secrets.ts";
import { setUpInstance } from "../../src/instance/set-up-instance.ts";
import { createTestDatabase } from "../support/databases/database.ts";

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

test("the first start keeps existing token files of other databases", async () => {
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

test("without a file there is no token, and the user has its role", async () => {
  const { db, close } = await createTestDatabase("postgres", 1);
  try {
    const files = readdirSync(folder);
    expect(await setUpInstance(db, undefined, new Date())).toBe(true);
    expect(await db.selectFrom("tokens").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("members").select("role").execute()).toEqual([{ role: "INSTANCE_OWNER" }]);
    expect(readdirSync(folder)).toEqual(files);
  } finally {
    await close();
  }
});

test("the first start records the instance, its organization, its user, the role and the token", async () => {
  const { db, close } = await createTestDatabase("postgres", 1);
  try {
    const now = new Date();
    await setUpInstance(db, tokenFile, now);
    const { id: instanceId, ...instance } = await db.selectFrom("instance").selectAll().executeTakeFirstOrThrow();
    const { id: orgId, ...org } = await db.selectFrom("orgs").selectAll().executeTakeFirstOrThrow();
    const { id: userId, ...user } = await db.selectFrom("users").selectAll().executeTakeFirstOrThrow();
    const { id: tokenId, last_four: lastFour } = await db.selectFrom("tokens").selectAll().executeTakeFirstOrThrow();
    const times = { created_at: now, changed_at: now };
    expect(instance).toEqual({ singleton: true, default_org_id: orgId, sequence: 2n, ...times });
    const named = { name: "default", name_key: "default" };
    const notRemoved = { removed_at: null, removal_due_at: null, erased_users: 0n, erased_at: null };
    const state = { state: "active", primary_domain: null, ...notRemoved };
    expect(org).toEqual({ ...named, ...state, sequence: 1n, ...times });
    expect(user).toMatchObject({ org_id: orgId, kind: "machine", user_name: "admin", sequence: 2n, ...times });
    const member = { user_org_id: orgId, user_id: userId, scope_id: instanceId, role: "INSTANCE_OWNER" };
    expect(await db.selectFrom("members").selectAll().execute()).toEqual([
      { ...member, created_at: now, sequence: 2n, changed_at: now },
    ]);
    const events = await db
      .selectFrom("events")
      .select(["owner_id", "aggregate_id", "sequence", "type", "editor_id", "created_at", "payload"])
      .orderBy("type")
      .execute();
    const recorded = { editor_id: null, created_at: now };
    const onInstance = { owner_id: instanceId, aggregate_id: instanceId, ...recorded };
    const onUser = { owner_id: orgId, aggregate_id: userId, ...recorded };
    const role = { userId, userOrgId: orgId, role: "INSTANCE_OWNER" };
    expect(events).toEqual([
      { ...onInstance, sequence: 1n, type: "instance.added", payload: {} },
      { ...onInstance, sequence: 2n, type: "instance.member.added", payload: role },
      {
        ...onInstance,
        owner_id: orgId,
        aggregate_id: orgId,
        sequence: 1n,
        type: "org.added",
        payload: { name: "default" },
      },
      { ...onUser, sequence: 1n, type: "user.machine.added", payload: { userName: "admin" } },
      { ...onUser, sequence: 2n, type: "user.token.added", payload: { tokenId, lastFour, expiresAt: null } },
    ]);
  } finally {
    await close();
  }
});
