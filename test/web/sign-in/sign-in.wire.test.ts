import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { DATABASE_KINDS } from "../../support/database.ts";
import { createPerson } from "../../support/person.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/relying-party.ts";
import { startService, type TestService } from "../../support/service.ts";
import { importAda, VISITED } from "../../support/visitor.ts";

const PASSWORD = "analytical engine no. 1";
const VERIFIED = { email: { email: "ada@example.com", isEmailVerified: true }, password: PASSWORD };

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  let service: TestService;
  let app: RelyingParty;
  beforeAll(async () => {
    service = await startService(kind, VISITED);
    service.secret(PASSWORD);
    app = await createRelyingParty(service, { name: "Notes" });
  });
  afterAll(() => service?.close());

  test("a person signs in to an application with user name and password", async () => {
    const userId = await importAda(service, { userName: `Grace ${kind}`, ...VERIFIED });
    const person = createPerson(service);
    const request = createRequest(app);
    const page = await person.open(request.url);
    expect([page.status, page.title]).toEqual([200, "Sign in"]);
    expect(page.text).toContain("<dd>Notes</dd>");
    expect(page.text).toContain("<dd>default</dd>");
    const { url } = await person.submit(page, { username: ` grace ${kind}`, password: PASSWORD });
    const tokens = await redeem(service, app, url, request);
    expect(tokens.claims()).toMatchObject({ sub: userId, amr: ["pwd"] });
  });
});
