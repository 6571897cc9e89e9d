import { findCode } from "../../../src/codes/find-code.ts";
import { createSerializePerKey } from "../../../src/database/serialize-per-key.ts";
import { createHasher } from "../../../src/passwords/hasher.ts";
import { initializeHuman } from "../../../src/users/credentials/initialize-human.ts";
import { importAda, lastReceived } from "../../support/browsers/visitor.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres");
});
afterAll(() => service?.close());

test("hashes one password of a link at a time, and no more after one is stored", async () => {
  const parts = { db: service.db, clock: () => new Date() };
  const passwords = createHasher({ cost: 4, threads: 2 });
  const seen = { underWay: 0, most: 0, all: 0 };
  const watched = {
    ...passwords,
    async hash(...given: Parameters<typeof passwords.hash>) {
      seen.all++;
      seen.most = Math.max(seen.most, ++seen.underWay);
      return await passwords.hash(...given).finally(() => seen.underWay--);
    },
  };
  const initializeParts = { ...parts, passwords: watched, serializeHashing: createSerializePerKey() };
  const { code } = await lastReceived(service, await importAda(service), "initialization");
  const held = await findCode(parts, "initialization", code);
  if (held === undefined) throw new Error("the code is not found");
  const attempt = (number: number) =>
    initializeHuman(initializeParts, held, service.secret(`analytical engine no. ${number}`));

  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, number) => attempt(number)));
  expect(outcomes.filter(({ kind }) => kind === "initialized")).toHaveLength(1);
  expect(seen.most).toBe(1);
  const { all } = seen;
  expect(await attempt(20)).toMatchObject({ kind: "changed", code: { state: "used" } });
  expect(seen.all).toBe(all);
  await passwords.close();
});
