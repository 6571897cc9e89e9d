import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { readConfig } from "../../../src/config.ts";
import { createKeyring } from "../../../src/crypto/keyring.ts";
import { connect } from "../../../src/database/connection.ts";
import { createOutbox } from "../../../src/messages/outbox.ts";
import { createHasher } from "../../../src/passwords/hasher.ts";
import { createPages } from "../../../src/web/create-pages.ts";
import type { PageRequest } from "../../../src/web/frame/page.ts";
import { environment } from "../../support/database.ts";

describe("without a database", () => {
  const url = new URL(environment("TEST_POSTGRES_URL"));
  url.pathname = "/not_there";
  const db = connect({ url: url.href }, 1, () => {});
  const passwords = createHasher({ cost: 4, threads: 1 });
  let servePage: ReturnType<typeof createPages>;
  beforeAll(() => {
    const config = readConfig({});
    const keyring = createKeyring([randomBytes(32)]);
    const outbox = createOutbox({
      keyring,
      publicUrl: config.publicUrl,
      sendsEmail: true,
      sendsSms: true,
      onQueued() {},
    });
    servePage = createPages({ config, db, keyring, passwords, outbox, clock: () => new Date() });
  });
  afterAll(async () => {
    await db.destroy();
    await passwords.close();
  });

  const request = (method: string, path: string): PageRequest => ({
    method,
    path,
    query: new URLSearchParams("code=x"),
    headers: { "content-type": "application/x-www-form-urlencoded", "accept-language": "es" },
    address: "192.0.2.1",
    requestId: "r-1",
    readBody: async () => Buffer.from("code=x"),
  });

  test.each([
    ["GET", "/ui/init"],
    ["POST", "/ui/init"],
    ["GET", "/ui/phone"],
    ["POST", "/ui/phone"],
  ])("%s %s says that it cannot be served now, and when to try again", async (method, path) => {
    const answer = await servePage(request(method, path));
    expect(answer.status).toBe(503);
    expect(answer.headers).toMatchObject({ "retry-after": "10", "cache-control": "no-store" });
    expect(answer.body).toContain("Vuelva a intentarlo en un momento");
    expect(answer.cause).toMatchObject({ reason: "UNAVAILABLE" });
  });

  test("what needs no database is served", async () => {
    expect((await servePage(request("GET", "/ui/style.css"))).status).toBe(200);
    expect((await servePage(request("GET", "/ui/nothing"))).status).toBe(404);
  });
});
