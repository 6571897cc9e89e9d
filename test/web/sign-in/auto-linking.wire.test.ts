import { grantRole } from "../../../src/access/grant-role.ts";
import { call, eventsAfter, importAda, userOf, VISITED } from "../../support/browsers/visitor.ts";
import {
  type OtherProviders,
  registerIdp,
  signInAtIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone, newSub, PERSON } from "./idp-scene.ts";

let providers: OtherProviders;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", { ...VISITED, IDP_ALLOW_PRIVATE_NETWORKS: "true" });
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, providers);
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

/** A provider of the organization that links and updates users without a question. */
async function newIdp(sub: string, email: string) {
  const account = { ...PERSON, sub, email };
  const idp = await registerIdp(service, providers, { orgId: service.orgId, account });
  const { clientId, issuer } = { clientId: `signet-${idp.issuer.split("/").at(-1)}`, issuer: idp.issuer };
  const providerOptions = { isLinkingAllowed: true, isAutoUpdate: true, autoLinking: "AUTO_LINKING_OPTION_EMAIL" };
  const settings = { id: idp.id, name: idp.name, clientId, issuer, usePkce: true, providerOptions };
  await call(service, "UpdateGenericOIDCProvider", settings, { "x-service-orgid": service.orgId });
  return idp;
}

const makeOwnerOfInstance = (userId: string) =>
  grantRole(service, {
    user: { id: userId, orgId: service.orgId },
    role: "INSTANCE_OWNER",
    scopeId: service.instanceId,
  });

describe("a user with a role in the instance", () => {
  test("is not linked by a provider of the organization that reports the user's address", async () => {
    const email = "owner-1@example.com";
    const userId = await importAda(service, { email: { email, isEmailVerified: true } });
    const sub = newSub();
    const idp = await newIdp(sub, email);
    await makeOwnerOfInstance(userId);
    const { person, page } = await scene.open();
    expect((await signInAtIdp(person, page, idp)).title).toBe("Account not linked yet");
    expect(
      await service.db.selectFrom("user_idp_links").select("user_id").where("user_id", "=", userId).execute(),
    ).toEqual([]);
  });

  test("does not get another address from a provider of the organization", async () => {
    const sub = newSub();
    const idp = await newIdp(sub, "attacker@example.com");
    const userId = await importAda(service, {
      email: { email: "owner-2@example.com", isEmailVerified: true },
      idps: [{ configId: idp.id, externalUserId: sub, displayName: "" }],
    });
    await makeOwnerOfInstance(userId);
    const { person, page } = await scene.open();
    expect(isDone(await signInAtIdp(person, page, idp))).toBe(true);
    expect(await userOf(service, userId)).toMatchObject({ email: "owner-2@example.com", first_name: "Ada" });
  });
});

test.each([
  ["another active user's verified address", { email: { email: "victim-1@example.com", isEmailVerified: true } }],
  ["another user's name", { userName: "victim-1@example.com" }],
])("an update does not take over %s, and an event says why", async (_, victim) => {
  const email = "victim-1@example.com";
  const victimId = await importAda(service, victim);
  const sub = newSub();
  const idp = await newIdp(sub, email.toUpperCase());
  const own = `${sub}@example.com`;
  const userId = await importAda(service, {
    email: { email: own, isEmailVerified: true },
    idps: [{ configId: idp.id, externalUserId: sub, displayName: "" }],
  });
  const { sequence } = await userOf(service, userId);
  const { person, page } = await scene.open();
  expect(isDone(await signInAtIdp(person, page, idp))).toBe(true);
  expect(await userOf(service, userId)).toMatchObject({ email: own, email_verified: true, first_name: "Grace" });
  expect(await eventsAfter(service, userId, sequence)).toContainEqual([
    "user.human.idp.email.refused",
    { idpId: idp.id, reason: "EMAIL_TAKEN" },
  ]);
  await call(service, "RemoveUser", { id: victimId });
});

test("nobody is linked if two users have the address", async () => {
  const email = "shared@example.com";
  for (let n = 0; n < 2; n++) await importAda(service, { email: { email, isEmailVerified: true } });
  const idp = await newIdp(newSub(), email);
  const { person, page } = await scene.open();
  expect((await signInAtIdp(person, page, idp)).title).toBe("Account not linked yet");
});

test("a user without a role elsewhere is linked", async () => {
  const email = "grace-1@example.com";
  const userId = await importAda(service, { email: { email, isEmailVerified: true } });
  const idp = await newIdp(newSub(), email);
  const { person, page } = await scene.open();
  expect((await signInAtIdp(person, page, idp)).title).toBe("Your accounts are linked now");
  const links = service.db.selectFrom("user_idp_links").select("idp_id").where("user_id", "=", userId);
  expect(await links.execute()).toEqual([{ idp_id: idp.id }]);
});
