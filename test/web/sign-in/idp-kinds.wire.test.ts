import type { Page, Person } from "../../support/browsers/person.ts";
import { allRows, importAda, signInCodes, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { CLIENT } from "../../support/oidc/branded-providers.ts";
import { createRelyingParty, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { ACCOUNT, formOf, newPerson, noticeOf, PASSWORD } from "../account/account-scene.ts";
import { createIdpScene, type IdpScene, isDone } from "./idp-scene.ts";
import {
  KINDS,
  type Kind,
  type KindProviders,
  newKindProvider,
  passKind,
  signInAtKind,
  startKindProviders,
} from "./kind-scene.ts";

let places: KindProviders;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  places = await startKindProviders();
  service = await startService("postgres", VISITED, { providerHosts: places.branded.hosts });
  places.saml.now = () => service.clock();
  service.secret(CLIENT.clientSecret);
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, { origin: "", async configure() {}, async close() {} });
});
afterAll(async () => {
  await service?.close();
  await places?.close();
});

const ALL = { isLinkingAllowed: true, isCreationAllowed: true };
const newProvider = (kind: Kind, options: object) => newKindProvider(service, places, kind, options);
const signIn = (person: Person, page: Page, idp: { id: string }) => signInAtKind(service, places, person, page, idp);

const userWith = async (idpId: string, externalId: string) => {
  const link = await service.db
    .selectFrom("user_idp_links")
    .selectAll()
    .where("idp_id", "=", idpId)
    .where("external_user_id", "=", externalId)
    .executeTakeFirst();
  return link && (await userOf(service, link.user_id));
};

describe.each(KINDS)("$kind ($quirks)", (each) => {
  /** Whether an address counts as verified that the provider has verified. */
  const { counts = true, isNameless = false, linkedAs = ({ id }) => id } = each;
  const isOAuth = each.kind.startsWith("GitHub") || each.kind === "GenericOAuth";

  test("registers an unknown user without a form, and signs in the same user again", async () => {
    const { id, user } = await newProvider(each, { ...ALL, isAutoCreation: true });
    const { person, request, page } = await scene.open();
    const first = await signIn(person, page, { id });
    // Microsoft's tokens name the user, but the other names come from userinfo.
    const registered = await userWith(id, linkedAs(user));
    expect(registered).toMatchObject({ email: user.email, email_verified: counts });
    expect(registered).toMatchObject({ first_name: "Grace", last_name: "Hopper" });
    expect(registered?.user_name).toBe(isNameless ? user.email : user.login);
    if (!counts) {
      expect(first.title).toBe("Confirm your email address");
    } else {
      expect((await redeem(service, app, first.url, request)).claims()?.sub).toBe(registered?.id);
    }
    const again = await scene.open();
    const second = await signIn(again.person, again.page, { id });
    expect(isDone(second)).toBe(counts);
    expect(places.branded.faults).toEqual([]);
    // Nothing of the provider's tokens is stored.
    const rows = Object.values(await allRows(service)).join("\n");
    expect(places.branded.tokens.filter((token) => rows.includes(token))).toEqual([]);
  });

  test.each([
    [{ prompt: "login" }, isOAuth],
    [{ max_age: "60" }, each.kind !== "SAML" && each.kind !== "AzureAD"],
  ])("with %j, asks a linked user for a code from an email: %s", async (parameters, asksForCode) => {
    const { id, user } = await newProvider(each, ALL);
    const link = { configId: id, externalUserId: user.id, displayName: "Grace" };
    const userId = await importAda(service, { ...VERIFIED, idps: [link] });
    const { person, request, page } = await scene.open({ parameters });
    const before = Math.floor(service.clock().getTime() / 1_000);
    let result = await signIn(person, page, { id });
    expect(result.title === "Confirm that it is you").toBe(asksForCode);
    if (asksForCode) {
      const sent = await person.submit(result, { do: "send" });
      result = await person.submit(sent, { code: (await signInCodes(service, userId))[0] ?? "" });
    }
    const claims = (await redeem(service, app, result.url, request)).claims();
    expect(claims?.sub).toBe(userId);
    expect(claims?.auth_time).toBeGreaterThanOrEqual(before - 30);
  });

  test("is linked on the account page, signs in, and is removed there", async () => {
    const { id, user } = await newProvider(each, ALL);
    const { userId, person } = await newPerson(service);
    service.clockOffsetMs += 6_000;
    const form = formOf(await person.open(ACCOUNT), `${ACCOUNT}/links`);
    const back = await passKind(service, places, person, await person.submit(form, { id }));
    expect([back.url.pathname, noticeOf(back)]).toEqual([ACCOUNT, "The account was linked."]);
    expect((await userWith(id, linkedAs(user)))?.id).toBe(userId);
    const { person: other, request, page } = await scene.open();
    const done = await signIn(other, page, { id });
    expect((await redeem(service, app, done.url, request)).claims()?.sub).toBe(userId);
    const removal = await person.open(`${ACCOUNT}/links/remove?idp=${id}&external=${linkedAs(user)}`);
    expect(noticeOf(await person.submit(removal, {}))).toContain("The linked account was removed.");
    const after = await scene.open();
    expect((await signIn(after.person, after.page, { id })).title).toBe("Account not linked yet");
  });

  test("says that the user has canceled, and logs nothing", async () => {
    const { id, name } = await newProvider(each, ALL);
    const logged = service.logs.length;
    places.branded.mood = "declining";
    places.saml.declines = true;
    const { person, page } = await scene.open();
    const canceled = await signIn(person, page, { id });
    places.branded.mood = "willing";
    places.saml.declines = false;
    expect([canceled.status, canceled.alert]).toEqual([422, `The sign-in with ${name} was canceled or declined.`]);
    expect(service.logs.slice(logged).filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });

  test.each([
    [{}, { link: false, register: false }],
    [{ isLinkingAllowed: true }, { link: true, register: false }],
    [{ isCreationAllowed: true }, { link: false, register: true }],
    [ALL, { link: true, register: true }],
  ])("with the options %j, an unknown user gets these buttons: %j", async (options, expected) => {
    const { id } = await newProvider(each, options);
    const { person, page } = await scene.open();
    const unknown = await signIn(person, page, { id });
    expect(unknown.title).toBe("Account not linked yet");
    const has = (action: string) => unknown.text.includes(`name="do" value="${action}"`);
    expect({ link: has("to-link"), register: has("to-register") }).toEqual(expected);
    const refused = await person.submit(unknown, { do: expected.link ? "register" : "to-link" });
    expect(isDone(refused)).toBe(false);
  });

  /** The local user has the address that the provider reports. */
  test.each(
    [true, false].flatMap((verified) =>
      [true, false].flatMap((local) => [true, false].map((auto) => [verified, local, auto] as const)),
    ),
  )("verified at the provider: %s, verified here: %s, autoLinking: %s", async (verified, isEmailVerified, auto) => {
    const options = { ...ALL, ...(auto && { autoLinking: "AUTO_LINKING_OPTION_EMAIL" }) };
    const { id, user } = await newProvider(each, options);
    places.branded.user = { ...user, verified };
    const userId = await importAda(service, { email: { email: user.email, isEmailVerified } });
    const { person, request, page } = await scene.open();
    const result = await signIn(person, page, { id });
    if (!(auto && (each.counts ?? verified) && isEmailVerified)) {
      expect(result.title).toBe("Account not linked yet");
      expect(await userWith(id, linkedAs(user))).toBeUndefined();
      return;
    }
    expect(result.title).toBe("Your accounts are linked now");
    expect(result.text).toContain(user.email);
    expect(await userWith(id, linkedAs(user))).toMatchObject({ id: userId });
    const notice = service.db.selectFrom("messages").select("recipient").where("user_id", "=", userId);
    expect(await notice.where("notice", "=", "provider-linked").execute()).toEqual([{ recipient: user.email }]);
    const done = await person.submit(result, { do: "skip" });
    expect((await redeem(service, app, done.url, request)).claims()?.sub).toBe(userId);
  });

  test("isAutoUpdate takes over changed names and the verified address at a sign-in", async () => {
    const { id, user } = await newProvider(each, { ...ALL, isAutoUpdate: true });
    const userId = await importAda(service, {
      email: { email: "before@example.com", isEmailVerified: true },
      idps: [{ configId: id, externalUserId: user.id, displayName: "" }],
    });
    const { person, page } = await scene.open();
    expect(isDone(await signIn(person, page, { id }))).toBe(true);
    const after = await userOf(service, userId);
    expect(after).toMatchObject({ first_name: "Grace", last_name: "Hopper" });
    expect(after.email).toBe(counts ? user.email : "before@example.com");
    const again = await scene.open();
    expect(isDone(await signIn(again.person, again.page, { id }))).toBe(true);
    const events = (
      await service.db.selectFrom("events").select("type").where("aggregate_id", "=", userId).execute()
    ).map(({ type }) => type);
    expect(events.filter((type) => type === "user.human.profile.changed")).toHaveLength(1);
    expect(events.filter((type) => type === "user.human.email.changed")).toHaveLength(counts ? 1 : 0);
  });
});
