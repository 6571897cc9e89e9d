import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const HOOK = { url: "https://legacy.example.com/signet?token=secret-of-url" };
const SIGNING_KEY = /^whsec_[A-Za-z0-9+/]{43}=$/;

let service: TestService;
let caller: Caller;
let orgId: string;
beforeAll(async () => {
  service = await startService("postgres");
  caller = createCaller("grpc", service, service.adminToken);
});
beforeEach(async () => {
  orgId = await service.createOrg(`Org ${Math.random()}`);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const send = (rpc: Rpc, request: JsonObject = {}) => caller.call(rpc, request, { "x-service-orgid": orgId });

async function call(rpc: Rpc, request: JsonObject = {}): Promise<JsonObject> {
  const outcome = await send(rpc, request);
  if (!outcome.ok) throw new Error(`${rpc}: ${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

const storedHooks = () => service.db.selectFrom("password_hooks").selectAll().where("owner_id", "=", orgId).execute();

test("a hook is set with a signing key, which is encrypted and not shown again", async () => {
  const { details, signingKey } = await call("SetPasswordHook", HOOK);
  expect(signingKey).toMatch(SIGNING_KEY);
  expect(details).toMatchObject({ sequence: "2", resourceOwner: orgId });
  const shown = await call("GetPasswordHook");
  expect(shown).toMatchObject({ passwordHook: { ...HOOK, details: { sequence: "2", resourceOwner: orgId } } });
  expect(JSON.stringify(shown)).not.toContain("whsec_");
  const [stored] = await storedHooks();
  expect(stored?.secret.toString("latin1")).not.toContain(String(signingKey).slice(6));
  const events = await service.db
    .selectFrom("events")
    .select(["type", "payload", "editor_id"])
    .where("aggregate_id", "=", orgId)
    .orderBy("sequence")
    .execute();
  // Events are shown to more callers than the hook, so they do not contain the path and the query.
  expect(events.at(-1)).toEqual({
    type: "org.password.hook.set",
    payload: { host: "legacy.example.com" },
    editor_id: service.adminId,
  });
});

test("another URL replaces it, with another key", async () => {
  const first = await call("SetPasswordHook", HOOK);
  const second = await call("SetPasswordHook", { url: "https://other.example.com/" });
  expect(second.signingKey).not.toBe(first.signingKey);
  expect(await call("GetPasswordHook")).toMatchObject({
    passwordHook: {
      url: "https://other.example.com/",
      details: { sequence: "3", creationDate: (first.details as JsonObject).creationDate ?? "" },
    },
  });
  expect(await storedHooks()).toHaveLength(1);
});

test("it is removed, and then there is none", async () => {
  const none = (rpc: Rpc) => expectError(service.db, "grpc", () => send(rpc), "PASSWORD_HOOK_NOT_FOUND");
  await none("GetPasswordHook");
  await none("RemovePasswordHook");
  await call("SetPasswordHook", HOOK);
  expect(await call("RemovePasswordHook")).toMatchObject({ details: { sequence: "3", resourceOwner: orgId } });
  await none("GetPasswordHook");
  expect(await storedHooks()).toEqual([]);
});

test.each([
  "http://legacy.example.com/",
  "https://user:password@legacy.example.com/",
  "https://legacy.example.com/#x",
  "ftp://legacy.example.com/",
  "legacy.example.com",
  `https://legacy.example.com/${"a".repeat(2_048)}`,
  "",
])("the URL %s is refused", async (url) => {
  expect(await send("SetPasswordHook", { url })).toMatchObject({
    ok: false,
    reason: "INVALID_ARGUMENT",
    fields: ["url"],
  });
});

test("a call with an idempotency key sets one hook, and its key is returned again", async () => {
  const caller = createCaller("rest", service, service.adminToken);
  const set = () => caller.call("SetPasswordHook", HOOK, { "idempotency-key": "set" });
  const first = await set();
  expect(first).toMatchObject({ ok: true, message: { signingKey: expect.stringMatching(SIGNING_KEY) } });
  expect(await set()).toMatchObject({ ok: true, message: first.ok ? first.message : {} });
  const sets = service.db.selectFrom("events").select("sequence").where("type", "=", "org.password.hook.set");
  expect(await sets.where("aggregate_id", "=", service.orgId).execute()).toHaveLength(1);
  caller.close();
});

test("concurrent calls store the hook of the last one", async () => {
  const caller = createCaller("rest", service, service.adminToken);
  const orgId = await service.createOrg("Concurrent");
  const outcomes = await Promise.all(
    Array.from({ length: 5 }, () => caller.call("SetPasswordHook", HOOK, { "x-service-orgid": orgId })),
  );
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
  const hooks = service.db.selectFrom("password_hooks").select("sequence").where("owner_id", "=", orgId);
  expect(await hooks.execute()).toEqual([{ sequence: 6n }]);
  caller.close();
});
