import type { JsonObject } from "@bufbuild/protobuf";
import type { Page, Person } from "../../support/browsers/person.ts";
import { call, eventsAfter, userOf, VISITED } from "../../support/browsers/visitor.ts";
import {
  type OtherProviders,
  passProvider,
  type RegisteredIdp,
  registerIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { newSub, PERSON } from "../sign-in/idp-scene.ts";
import {
  ACCOUNT,
  dropPassword,
  formOf,
  newPerson,
  noticeOf,
  ONLY_WAY,
  PASSWORD,
  STALE,
  signIn,
} from "./account-scene.ts";

const MINUTE = 60_000;

let providers: OtherProviders;
let service: TestService;
let offset = 0;
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", VISITED);
  service.stopClock();
  service.secret(PASSWORD);
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

const linksOf = (userId: string) =>
  service.db
    .selectFrom("user_idp_links")
    .select(["idp_id", "external_user_id", "display_name"])
    .where("user_id", "=", userId)
    .execute();

describe("linked providers", () => {
  test("are linked by a sign-in there, and removed after a question", async () => {
    const sub = newSub();
    const idp = await registerIdp(service, providers, { account: { sub, ...PERSON } });
    const { userId, userName, person } = await newPerson(service);
    const { sequence } = await userOf(service, userId);
    const back = await person.open(await goToProvider(person, idp));
    expect([back.url.pathname, noticeOf(back)]).toEqual([ACCOUNT, "The account was linked."]);
    expect(back.text).toContain(`${idp.name}<br><span class="small">Grace Hopper</span>`);
    expect(await linksOf(userId)).toEqual([{ idp_id: idp.id, external_user_id: sub, display_name: "Grace Hopper" }]);
    expect((await eventsAfter(service, userId, sequence)).map(([type]) => type)).toEqual(["user.human.idp.linked"]);

    const { person: other } = await signIn(service, userName);
    const form = await person.open(`${ACCOUNT}/links/remove?idp=${idp.id}&external=${sub}`);
    expect(form.title).toBe("Remove the linked account?");
    expect(noticeOf(await person.submit(form, {}))).toContain("The linked account was removed.");
    expect(await linksOf(userId)).toEqual([]);
    expect((await other.open(ACCOUNT)).title).toBe("Sign in to Signet");
    expect(await person.submit(form, {})).toMatchObject({ status: 422, alert: STALE });
  });

  test("are not removed if one is the only way to sign in", async () => {
    const sub = newSub();
    const idp = await registerIdp(service, providers, { account: { sub } });
    const idps = [{ configId: idp.id, externalUserId: sub, displayName: "Ada at work" }];
    const { userId, person } = await newPerson(service, { idps });
    await dropPassword(service, userId);
    const form = await person.open(`${ACCOUNT}/links/remove?idp=${idp.id}&external=${sub}`);
    expect(await person.submit(form, {})).toMatchObject({ status: 422, alert: ONLY_WAY });
    expect(await linksOf(userId)).toHaveLength(1);
  });

  test("are not linked if the external user is linked to somebody else", async () => {
    const sub = newSub();
    const idp = await registerIdp(service, providers, { account: { sub } });
    const idps = [{ configId: idp.id, externalUserId: sub, displayName: "Grace" }];
    await newPerson(service, { idps });
    const { userId, person } = await newPerson(service);
    const refused = await person.open(await goToProvider(person, idp));
    expect([refused.status, refused.alert]).toEqual([422, `This account at ${idp.name} is already linked to a user.`]);
    expect(await linksOf(userId)).toEqual([]);
  });

  test("are not linked by a response that another browser, user or session has asked for, or by one that is used", async () => {
    const idp = await registerIdp(service, providers, { account: { sub: newSub() } });
    const { person: attacker, userId: attackerId } = await newPerson(service);
    const callback = await goToProvider(attacker, idp);
    const { person: victim, userId: victimId } = await newPerson(service);
    const refused = await victim.open(callback);
    expect([refused.status, refused.alert]).toEqual([
      422,
      "Linking took too long or was started elsewhere. Please try again.",
    ]);
    // Also not with the attacker's cookie of the attempt.
    const cookies = attacker.browser.jar().filter(([name]) => name.includes("signet-idp-"));
    const header = [victim.browser.cookies(ACCOUNT), ...cookies.map(([name, value]) => `${name}=${value}`)].join("; ");
    const forwarded = await fetch(service.origin + callback.pathname + callback.search, {
      headers: { cookie: header },
      redirect: "manual",
    });
    const target = forwarded.headers.get("location") ?? "";
    expect(target).toContain(`${ACCOUNT}/links/callback`);
    expect((await fetch(service.origin + target, { headers: { cookie: header } })).status).toBe(422);
    expect(await linksOf(victimId)).toEqual([]);
    expect(noticeOf(await attacker.open(callback))).toBe("The account was linked.");
    expect((await attacker.open(callback)).status).toBe(422);
    expect(await linksOf(attackerId)).toHaveLength(1);
  });

  test("say that the user has canceled at the provider", async () => {
    const idp = await registerIdp(service, providers, { account: { sub: newSub() } });
    const { person } = await newPerson(service);
    const atProvider = await press(person, idp);
    const state = atProvider.url.searchParams.get("state") ?? "";
    const query = new URLSearchParams({ state, error: "access_denied" });
    const canceled = await person.open(`/ui/idps/${idp.id}/callback?${query}`);
    expect([canceled.status, canceled.alert.includes(idp.name)]).toEqual([422, true]);
  });

  test("are offered and linked only if the provider allows it", async () => {
    const add = async (name: string, providerOptions: JsonObject) => {
      const request = {
        name,
        clientId: "signet",
        clientSecret: service.secret("client-secret-of-github"),
        providerOptions,
      };
      return String((await call(service, "AdminService.AddGitHubProvider", request)).id);
    };
    const allowing = await add("0 GitHub", { isLinkingAllowed: true });
    const other = await add("1 GitHub", { isCreationAllowed: true });
    const { userId, person } = await newPerson(service);
    forgetOffers();
    const page = await person.open(ACCOUNT);
    expect(page.text).toContain(`name="id" value="${allowing}"`);
    expect(page.text).not.toContain(other);
    const refused = await person.submit(formOf(page, `${ACCOUNT}/links`), { id: other });
    expect(refused).toMatchObject({ status: 422, alert: STALE });
    expect(await linksOf(userId)).toEqual([]);
  });

  // Last, because the offers of providers are kept for as long as the clock was ahead.
  test("are not linked long after the sign-in, without a token, or if the provider is gone", async () => {
    const idp = await registerIdp(service, providers, { account: { sub: newSub() } });
    const { userId, person } = await newPerson(service);
    forgetOffers();
    const form = formOf(await person.open(ACCOUNT), `${ACCOUNT}/links`);
    expect(await person.submit(form, { id: idp.id, token: "" })).toMatchObject({ status: 422, alert: STALE });
    expect(await person.submit(form, { id: userId })).toMatchObject({ status: 422, alert: STALE });
    service.clockOffsetMs += 15 * MINUTE;
    expect((await person.submit(form, { id: idp.id })).title).toBe("Sign in to Signet");
    service.clockOffsetMs = offset;
    expect(await linksOf(userId)).toEqual([]);
  });
});

/** Presses the button that links a provider. Returns the address of the provider. */
async function press(person: Person, idp: RegisteredIdp): Promise<Page> {
  forgetOffers();
  const page = await person.open(ACCOUNT);
  expect(page.text).toContain(`name="id" value="${idp.id}"`);
  return await person.submit(formOf(page, `${ACCOUNT}/links`), { id: idp.id });
}

/** The pages cache an organization's providers for a few seconds. */
function forgetOffers(): void {
  offset += 6_000;
  service.clockOffsetMs = offset;
}

/** Signs in at the provider. Returns the address of the callback. */
async function goToProvider(person: Person, idp: RegisteredIdp): Promise<URL> {
  return await passProvider(await press(person, idp));
}
