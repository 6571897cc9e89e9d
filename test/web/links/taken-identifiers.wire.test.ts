import { createId } from "../../../src/crypto/secrets.ts";
import { call, createVisitor, importAda, lastReceived, userOf, VISITED } from "../../support/browsers/visitor.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const EMAIL = "name@example.com";
const NUMBER = "+41791119900";
const PASSWORD = "analytical engine no. 1";

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.secret(PASSWORD);
  await importAda(service, { userName: EMAIL });
  await importAda(service, { userName: NUMBER });
});
afterAll(() => service?.close());

test("a link does not verify an address or a number that is another user's name", async () => {
  const visitor = createVisitor(service);
  const invited = await importAda(service, { email: { email: EMAIL } });
  const changed = await importAda(service, {
    email: { email: `${createId()}@example.com`, isEmailVerified: true },
    password: PASSWORD,
  });
  await call(service, "UpdateHumanEmail", { userId: changed, email: EMAIL });
  await call(service, "UpdateHumanPhone", { userId: changed, phone: NUMBER });
  const before = [await userOf(service, invited), await userOf(service, changed)];
  const sms = await lastReceived(service, changed, "phone");
  const init = await lastReceived(service, invited, "initialization");
  const email = await lastReceived(service, changed, "email");
  await service.db
    .updateTable("codes")
    .set({ expires_at: new Date(Date.now() + 60_000) })
    .where("kind", "=", "phone")
    .execute();
  for (const [path, form, title] of [
    ["/ui/init", { code: init.code, password: PASSWORD, repeat: PASSWORD }, "This address cannot be confirmed"],
    ["/ui/email", { code: email.code }, "This address cannot be confirmed"],
    ["/ui/phone", { code: sms.code, digits: sms.digits }, "This number cannot be confirmed"],
  ] as const) {
    expect(await visitor.post(path, form)).toMatchObject({ status: 409, title });
  }
  expect([await userOf(service, invited), await userOf(service, changed)]).toEqual(before);
});
