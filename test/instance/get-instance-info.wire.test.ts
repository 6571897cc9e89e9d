import { randomBytes } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { MESSAGES_VARIABLES } from "../../src/config/messages.ts";
import { SERVER_VARIABLES } from "../../src/config/server.ts";
import { SIGN_IN_VARIABLES } from "../../src/config/sign-in.ts";
import { STORAGE_VARIABLES } from "../../src/config/storage.ts";
import { MIGRATIONS } from "../../src/database/migrate.ts";
import { createCaller } from "../support/clients/callers.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const SECRETS = {
  SMTP_URL: "smtps://mailer:secret-of-smtp@mail.example.com",
  SMS_WEBHOOK_URL: "https://sms.example.com/secret-of-url",
  SMS_WEBHOOK_SECRET: "secret-of-webhook",
};

let service: TestService;
beforeAll(async () => {
  const others = { EMAIL_FROM: "no-reply@example.com", SMS_PROVIDER: "webhook", RETENTION_DAYS: "7" };
  service = await startService("postgres", { ...SECRETS, ...others });
  for (const secret of ["secret-of-smtp", "secret-of-url", "secret-of-webhook"]) service.secret(secret);
});
afterAll(() => service?.close());

async function getInfo(): Promise<JsonObject> {
  const caller = createCaller("grpc", service, service.adminToken);
  const outcome = await caller.call("GetInstanceInfo", {});
  caller.close();
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.message;
}

test("the instance describes itself", async () => {
  const info = await getInfo();
  expect(info).toMatchObject({
    instanceId: service.instanceId,
    version: "1.2.3",
    nodeVersion: process.versions.node,
    databaseVersion: expect.stringMatching(/^\d+\.\d+/),
    isDatabaseEmbedded: true,
    latestMigration: Object.keys(MIGRATIONS).at(-1),
    emailRoute: "EMAIL_ROUTE_SMTP",
  });
  expect(info).not.toHaveProperty("pendingMigrations");
});

test("the settings in effect are shown, and no secret", async () => {
  const { settings = [] } = await getInfo();
  const shown = new Map((settings as JsonObject[]).map(({ name, value = "" }) => [String(name), String(value)]));
  expect(shown.get("PUBLIC_URL")).toBe(service.config.publicUrl);
  expect(shown.get("RETENTION_DAYS")).toBe("7");
  expect(shown.get("EMAIL_FROM")).toBe("no-reply@example.com");
  expect(shown.get("SMS_PROVIDER")).toBe("webhook");
  expect(shown.get("METRICS_PORT")).toBe("");
  const variables = { ...SERVER_VARIABLES, ...STORAGE_VARIABLES, ...SIGN_IN_VARIABLES, ...MESSAGES_VARIABLES };
  const secret = Object.entries(variables).filter((entry) => entry[1].secret);
  expect(secret.length).toBeGreaterThan(5);
  for (const [name] of secret) expect([name, shown.has(name)]).toEqual([name, false]);
  expect([...shown.keys()].filter((name) => /FILE|DIR/.test(name))).toEqual([]);
});

test("of the keys, the latest that has begun to sign is current", async () => {
  const keyOf = (id: string, signs_from: Date) => ({
    ...{ instance_id: service.instanceId, id, algorithm: "ES256" as const, created_at: new Date(0), signs_from },
    ...{ private_jwk: randomBytes(40), private_jwk_key: service.keyring.currentKeyId },
  });
  const [old, next] = ["01a20a48-da61-7e4f-9abd-59f192e29001", "01a20a48-da61-7e4f-9abd-59f192e29002"];
  await service.db
    .insertInto("signing_keys")
    .values([keyOf(old, new Date(0)), keyOf(next, new Date(Date.now() + 600_000))])
    .execute();
  const keys = ((await getInfo()).keys ?? []) as JsonObject[];
  const stateOf = (id: string) => keys.find((key) => key.id === id)?.state;
  expect(stateOf(old)).toBe("INSTANCE_KEY_STATE_PREVIOUS");
  expect(stateOf(next)).toBe("INSTANCE_KEY_STATE_ANNOUNCED");
  expect(stateOf(service.keyring.currentKeyId)).toBe("INSTANCE_KEY_STATE_CURRENT");
  const current = keys.filter(({ state }) => state === "INSTANCE_KEY_STATE_CURRENT");
  expect(current.map(({ algorithm }) => algorithm).sort()).toEqual(["A256GCM", "ES256", "EdDSA", "PS256", "RS256"]);
  expect(Object.keys(keys[0] ?? {}).sort()).toEqual(["algorithm", "creationDate", "id", "state"]);
});

test("the queues count what waits, and since when", async () => {
  const created = new Date(Date.now() - 3_600_000);
  const row = { org_id: service.orgId, user_id: service.adminId, notice: "password-changed", created_at: created };
  await service.db
    .insertInto("messages")
    .values([
      {
        ...row,
        id: "01a20a48-da61-7e4f-9abd-59f192e29003",
        channel: "email",
        recipient: "a@b.example",
        next_attempt_at: created,
      },
      {
        ...row,
        id: "01a20a48-da61-7e4f-9abd-59f192e29004",
        channel: "email",
        recipient: "a@b.example",
        next_attempt_at: created,
      },
    ])
    .execute();
  const { queues = [] } = await getInfo();
  const [email, sms] = queues as JsonObject[];
  expect(email).toMatchObject({ channel: "USER_MESSAGE_CHANNEL_EMAIL", messages: "2" });
  expect(Math.abs(Date.parse(String(email?.oldestDate)) - created.getTime())).toBeLessThan(600_000);
  expect(sms).toEqual({ channel: "USER_MESSAGE_CHANNEL_SMS" });
});
