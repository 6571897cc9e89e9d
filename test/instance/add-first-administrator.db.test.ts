import { findCode } from "../../src/codes/find-code.ts";
import { addFirstAdministrator } from "../../src/instance/add-first-administrator.ts";
import { setUpInstance } from "../../src/instance/set-up-instance.ts";
import { createTestDatabase } from "../support/databases/database.ts";

const HOUR_MS = 3_600_000;

test("the first administrator is an owner of the instance, and gets a link that works once, for 72 hours", async () => {
  const { db, close } = await createTestDatabase("postgres", 2);
  try {
    const now = new Date();
    await setUpInstance(db, undefined, now);
    const link = await addFirstAdministrator({ db, clock: () => now }, "https://id.example.com");
    const user = await db.selectFrom("users").selectAll().where("kind", "=", "human").executeTakeFirstOrThrow();
    expect(user).toMatchObject({
      user_name: "administrator",
      password_hash: null,
      initialized: false,
      state: "active",
    });
    const { id: instanceId } = await db.selectFrom("instance").select("id").executeTakeFirstOrThrow();
    const members = await db
      .selectFrom("members")
      .select(["scope_id", "role"])
      .where("user_id", "=", user.id)
      .execute();
    expect(members).toEqual([{ scope_id: instanceId, role: "INSTANCE_OWNER" }]);
    // Nothing is sent to the address, which does not exist.
    expect(await db.selectFrom("messages").select("id").execute()).toEqual([]);

    const [, text = ""] = /^https:\/\/id\.example\.com\/ui\/init\?code=(.+)$/.exec(link) ?? [];
    const stateAfter = async (ms: number) =>
      (await findCode({ db, clock: () => new Date(now.getTime() + ms) }, "initialization", text))?.state;
    expect(await stateAfter(72 * HOUR_MS - 1_000)).toBe("valid");
    expect(await stateAfter(72 * HOUR_MS + 1_000)).toBe("expired");
  } finally {
    await close();
  }
});
