import { createRunTogether } from "../../src/database/run-together.ts";
import { findArtifact } from "../../src/oidc/find-artifacts.ts";
import { storeArtifact } from "../../src/oidc/store-artifact.ts";
import { createTestDatabase } from "../support/databases/database.ts";

test("an artifact that is looked up several times at once is read once, and each caller may change what it gets", async () => {
  const { db, close } = await createTestDatabase("postgres", 1);
  const now = new Date();
  const payload = { params: { scope: "openid" } };
  await storeArtifact(createRunTogether(db), {
    kind: "Interaction",
    id: "id",
    payload,
    now,
    expiresAt: new Date(now.getTime() + 60_000),
  });
  let statements = 0;
  const counting = {
    enter: async (...args: Parameters<typeof db.enter>) => {
      statements += 1;
      return await db.enter(...args);
    },
  };
  const parts = { runTogether: createRunTogether(counting), now };
  const [first, second] = await Promise.all([
    findArtifact(parts, "Interaction", "id"),
    findArtifact(parts, "Interaction", "id"),
  ]);
  expect(statements).toBe(1);
  Object.assign(first?.params ?? {}, { scope: "changed" });
  expect([first?.params, second?.params]).toEqual([{ scope: "changed" }, { scope: "openid" }]);
  await close();
});
