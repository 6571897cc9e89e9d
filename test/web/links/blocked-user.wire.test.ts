import {
  allRows,
  call,
  changePhone,
  createVisitor,
  importAda,
  lastReceived,
  VISITED,
  type Visitor,
} from "../../support/browsers/visitor.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const TITLE = "This account is not available at the moment";

/** The calls that end the access of a user, and the ones that restore it. */
const CALLS = [
  ["DeactivateUser", "ReactivateUser"],
  ["LockUser", "UnlockUser"],
] as const;

let service: TestService;
let visitor: Visitor;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.secret(PASSWORD);
  visitor = createVisitor(service);
});
afterAll(() => service?.close());

/** A user with a link of each kind. */
async function newUser(end: (typeof CALLS)[number][0]) {
  const passkey = await call(service, "ImportHumanUser", {
    userName: `user-${end}`,
    ...HUMAN,
    requestPasswordlessRegistration: true,
  });
  const passkeyId = String(passkey.userId);
  const { link } = passkey.passwordlessRegistration as { link: string };
  const [initId, emailId] = [await importAda(service), await importAda(service, HUMAN)];
  await changePhone(service, initId);
  await call(service, "UpdateHumanEmail", { userId: emailId, email: "new@example.com" });
  const init = await lastReceived(service, initId, "initialization");
  const phone = await lastReceived(service, initId, "phone");
  const email = await lastReceived(service, emailId, "email");
  const passkeyCode = new URL(link).searchParams.get("code") ?? "";
  return { ids: [passkeyId, initId, emailId], init, phone, email, passkeyCode };
}

test.each(CALLS)("no page serves a user after %s, and all do after %s", async (end, restore) => {
  const { ids, init, phone, email, passkeyCode } = await newUser(end);
  for (const id of ids) await call(service, end, { id });
  service.clockOffsetMs += 2 * 60_000;
  const before = await allRows(service);
  const pages = [
    await visitor.open(init.path),
    await visitor.post("/ui/init", { code: init.code, password: PASSWORD, repeat: PASSWORD }),
    await visitor.post("/ui/init", { code: init.code, do: "send" }),
    await visitor.open(phone.path),
    await visitor.post("/ui/phone", { code: phone.code, digits: phone.digits }),
    await visitor.post("/ui/phone", { code: phone.code, do: "send" }),
    await visitor.open(email.path),
    await visitor.post("/ui/email", { code: email.code }),
    await visitor.open(`/ui/passkey?code=${passkeyCode}`),
  ];
  for (const page of pages) {
    expect([page.status, page.title]).toEqual([403, TITLE]);
    expect(page.text).not.toContain("Lovelace");
  }
  const options = await visitor.open("/ui/passkey/options", {
    method: "POST",
    headers: { origin: "null", "sec-fetch-site": "same-origin", "content-type": "application/json" },
    body: JSON.stringify({ code: passkeyCode }),
  });
  expect(options.status).toBe(403);
  expect(JSON.parse(options.text)).toMatchObject({ code: "blocked-user" });
  expect(await allRows(service)).toEqual(before);

  for (const id of ids) await call(service, restore, { id });
  for (const path of [init.path, phone.path, email.path, `/ui/passkey?code=${passkeyCode}`]) {
    expect((await visitor.open(path)).status).toBe(200);
  }
});

test.each(CALLS.map(([end]) => end))("messages that wait for a user are dropped after %s", async (end) => {
  const id = await importAda(service);
  await call(service, end, { id });
  await service.delivery.deliverDue();
  const states = await service.db.selectFrom("messages").select("state").where("user_id", "=", id).execute();
  expect(states).toEqual([{ state: "expired" }]);
});

test("a token stops working with the next call, even if it was just used, and works again later", async () => {
  const { token, userId } = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
  const use = async () => {
    const response = await fetch(`${service.origin}/management/v1/users/unknown/phone`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${token}` },
    });
    return response.status;
  };
  for (const [end, restore] of CALLS) {
    expect(await use()).toBe(404);
    await call(service, end, { id: userId });
    expect(await use()).toBe(401);
    await call(service, restore, { id: userId });
  }
  expect(await use()).toBe(404);
  await call(service, "RemoveUser", { id: userId });
  expect(await use()).toBe(401);
});
