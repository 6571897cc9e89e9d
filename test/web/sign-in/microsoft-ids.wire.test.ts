import type { Page } from "../../support/browsers/person.ts";
import { call, eventsAfter, importAda, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { type BrandedUser, CLIENT, objectIdOf, TENANT } from "../../support/oidc/branded-providers.ts";
import { createRelyingParty, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { ACCOUNT, formOf, newPerson, noticeOf, PASSWORD } from "../account/account-scene.ts";
import { createIdpScene, type IdpScene, isDone } from "./idp-scene.ts";
import {
  type KindProviders,
  newKindProvider,
  nextUser,
  passKind,
  signInAtKind,
  startKindProviders,
  toMicrosoftId,
} from "./kind-scene.ts";

let places: KindProviders;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  places = await startKindProviders();
  service = await startService("postgres", VISITED, { providerHosts: places.branded.hosts });
  service.secret(CLIENT.clientSecret);
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, { origin: "", async configure() {}, async close() {} });
});
afterAll(async () => {
  await service?.close();
  await places?.close();
});

const SUB = "AZURE_AD_USER_ID_ATTRIBUTE_SUB";
const OID = "AZURE_AD_USER_ID_ATTRIBUTE_OID";
const SEVERAL = { tenantType: "AZURE_AD_TENANT_TYPE_ORGANISATIONS" };
const ONE = { tenantId: TENANT };
const OTHER_TENANT = "11111111-2222-4333-8444-555555555555";
const OPTIONS = { isLinkingAllowed: true, isCreationAllowed: true };

const newMicrosoft = (settings: object) =>
  newKindProvider(service, places, { kind: "AzureAD", settings, quirks: "" }, OPTIONS);

const importLinked = (idpId: string, externalUserId: string) =>
  importAda(service, { ...VERIFIED, idps: [{ configId: idpId, externalUserId, displayName: "Ada" }] });

const linksOf = async (userId: string) => {
  const links = service.db.selectFrom("user_idp_links").select("external_user_id").where("user_id", "=", userId);
  return (await links.execute()).map(({ external_user_id: id }) => id);
};

async function signIn(idp: { readonly id: string }): Promise<Page> {
  const { person, page } = await scene.open();
  return await signInAtKind(service, places, person, page, idp);
}

const subOf = ({ id }: BrandedUser) => id;

test.each([
  ["oid with its tenant", OID, SEVERAL, subOf, toMicrosoftId],
  ["oid with its tenant", OID, ONE, objectIdOf, toMicrosoftId],
  ["oid with its tenant", OID, ONE, toMicrosoftId, toMicrosoftId],
  ["sub", SUB, SEVERAL, toMicrosoftId, subOf],
  ["sub", SUB, ONE, objectIdOf, subOf],
])(
  "a sign-in finds the user by either claim, and links by the %s",
  async (_, userIdAttribute, tenant, before, after) => {
    const idp = await newMicrosoft({ userIdAttribute, tenant });
    const userId = await importLinked(idp.id, before(idp.user));
    const { sequence } = await userOf(service, userId);
    expect(isDone(await signIn(idp))).toBe(true);
    expect(await linksOf(userId)).toEqual([after(idp.user)]);
    const ids = { idpId: idp.id, externalUserId: after(idp.user), formerExternalUserId: before(idp.user) };
    const relinked = (await eventsAfter(service, userId, sequence)).filter(
      ([type]) => type === "user.human.idp.relinked",
    );
    expect(relinked.map(([, payload]) => payload)).toEqual(before === after ? [] : [ids]);
    expect(isDone(await signIn(idp))).toBe(true);
    expect(await linksOf(userId)).toEqual([after(idp.user)]);
  },
);

test.each([
  ["of another tenant", ONE, (user: BrandedUser) => `${objectIdOf(user)}.${OTHER_TENANT}`],
  ["without a tenant, of a provider with several", SEVERAL, objectIdOf],
  ["without a tenant, of a provider with several", { tenantType: "AZURE_AD_TENANT_TYPE_COMMON" }, objectIdOf],
])("an object id %s is another user", async (_, tenant, linkedAs) => {
  const idp = await newMicrosoft({ tenant });
  const userId = await importLinked(idp.id, linkedAs(idp.user));
  expect((await signIn(idp)).title).toBe("Account not linked yet");
  expect(await linksOf(userId)).toEqual([linkedAs(idp.user)]);
});

test("an account that is linked by the other claim can be linked to no other user", async () => {
  const idp = await newMicrosoft({ tenant: ONE });
  const ada = await importLinked(idp.id, objectIdOf(idp.user));
  const { userId, person } = await newPerson(service);
  service.clockOffsetMs += 6_000;
  const link = async () => {
    const form = formOf(await person.open(ACCOUNT), `${ACCOUNT}/links`);
    return await passKind(service, places, person, await person.submit(form, { id: idp.id }));
  };
  expect((await link()).alert).toBe(`This account at ${idp.name} is already linked to a user.`);
  expect([await linksOf(userId), await linksOf(ada)]).toEqual([[], [objectIdOf(idp.user)]]);
  nextUser(places);
  expect(noticeOf(await link())).toBe("The account was linked.");
});

test("whoever has placed a link is known after a sign-in has changed it", async () => {
  const idp = await newMicrosoft({ tenant: ONE });
  const userId = await importLinked(idp.id, objectIdOf(idp.user));
  const update = async (userIdAttribute: string) => {
    const request = { id: idp.id, name: idp.name, clientId: CLIENT.clientId, tenant: ONE, userIdAttribute };
    await call(service, "AdminService.UpdateAzureADProvider", request);
  };
  for (const attribute of [OID, SUB, OID]) {
    await update(attribute);
    expect(isDone(await signIn(idp))).toBe(true);
  }
  const { placedCredentials } = await call(service, "AddOrgMember", {
    userId,
    roles: ["ORG_VIEWER"],
  });
  expect(placedCredentials).toEqual([
    expect.objectContaining({ type: "PLACED_CREDENTIAL_TYPE_IDP_LINK", name: toMicrosoftId(idp.user) }),
  ]);
});
