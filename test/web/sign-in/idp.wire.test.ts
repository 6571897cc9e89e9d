import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { DATABASE_KINDS } from "../../support/database.ts";
import {
  chooseIdp,
  type OtherProviders,
  passProvider,
  registerIdp,
  signInAtIdp,
  startOtherProviders,
} from "../../support/other-provider.ts";
import { createPerson, type Page, type Person } from "../../support/person.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/relying-party.ts";
import { startService, type TestService } from "../../support/service.ts";
import { call, eventsAfter, importAda, userOf, VISITED } from "../../support/visitor.ts";

const VERIFIED = { email: { email: "ada@example.com", isEmailVerified: true } };
const MINUTE = 60_000;

let providers: OtherProviders;
beforeAll(async () => {
  providers = await startOtherProviders();
});
afterAll(() => providers?.close());

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  let service: TestService;
  let app: RelyingParty;
  beforeAll(async () => {
    service = await startService(kind, VISITED);
    app = await createRelyingParty(service);
  });
  afterAll(() => service?.close());

  const isDone = ({ url }: Page) => url.searchParams.has("code");

  async function open(person: Person = createPerson(service)) {
    // The pages remember the providers of an organization for a few seconds.
    service.clockOffsetMs += 6_000;
    const request = createRequest(app);
    return { person, request, page: await person.open(request.url) };
  }

  let subs = 0;

  /** An imported user with a link, and the provider at which the person is signed in. */
  async function newLinkedUser(fields: object = VERIFIED, options: Parameters<typeof registerIdp>[2] = {}) {
    const sub = `external-${++subs}`;
    const idp = await registerIdp(service, providers, { account: { sub }, ...options });
    const userId = await importAda(service, {
      idps: [{ configId: idp.id, externalUserId: sub, displayName: "ada@other" }],
      ...fields,
    });
    return { idp, userId, sub };
  }

  test("an imported user with a link signs in at the provider, and the application gets an ID token", async () => {
    const { idp, userId } = await newLinkedUser();
    const { sequence } = await userOf(service, userId);
    const { person, request, page } = await open();
    expect(page.text).toContain(`>Sign in with ${idp.name}</button>`);
    const done = await signInAtIdp(person, page, idp);
    const claims = (await redeem(service, app, done.url, request)).claims();
    expect(claims).toMatchObject({ sub: userId, amr: ["fed"] });
    expect(await eventsAfter(service, userId, sequence)).toEqual([
      ["user.human.idp.check.succeeded", { idpId: idp.id }],
      ["user.human.signed.in", { appId: app.id, methods: ["fed"], idpId: idp.id }],
    ]);
    expect(await service.db.selectFrom("idp_attempts").selectAll().execute()).toEqual([]);
  });

  if (kind === "embedded") return;

  test("x", () => {
    void [chooseIdp, passProvider, call, MINUTE, isDone];
  });
});
