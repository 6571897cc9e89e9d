import type { Database } from "../../../src/database/database.ts";
import { findSignInUser } from "../../../src/sign-in/find-sign-in-user.ts";
import { type ConfirmedBy, linkExternalUser } from "../../../src/sign-in/provider/link-external-user.ts";
import { call, importAda, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { untilBlocked } from "../../support/databases/locks.ts";
import { outboxOf } from "../../support/messages/outbox-of.ts";
import {
  type OtherProviders,
  type RegisteredIdp,
  signInAtIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, newSub, PERSON } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";

/**
 * Whoever may change a provider without links could let a hostile issuer confirm the id of somebody else, and restore the
 * issuer before the confirmation is used.
 */
let providers: OtherProviders;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", VISITED);
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, providers);
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

const linksTo = ({ id }: Pick<RegisteredIdp, "id">) =>
  service.db.selectFrom("user_idp_links").select("user_id").where("idp_id", "=", id).execute();
const restore = ({ id, name }: RegisteredIdp) =>
  call(service, "UpdateIDPOIDCConfig", { idpId: id, clientId: name, issuer: "https://accounts.example.com" });

/** The page for an external user who is not linked, whom the provider has confirmed. */
async function openUnknown() {
  const idp = await scene.newIdp({ account: { ...PERSON, sub: newSub() } });
  const { person, page } = await scene.open();
  return { idp, person, unknown: await signInAtIdp(person, page, idp) };
}

describe("a confirmation by an earlier configuration of a provider", () => {
  test.each([
    ["to-link", {}],
    ["register", { userName: "squatter", firstName: "A", lastName: "B", email: "a@example.com" }],
  ])("cannot be used to %s", async (action, fields) => {
    const { idp, person, unknown } = await openUnknown();
    await restore(idp);
    const refused = await person.submit(unknown, { do: action, ...fields });
    expect([refused.status, refused.alert]).toEqual([
      422,
      "The sign-in with the other service took too long, or was started again. Please try again.",
    ]);
    expect(await linksTo(idp)).toEqual([]);
  });

  test("cannot be linked to an account", async () => {
    const userId = await importAda(service, { ...VERIFIED, password: PASSWORD });
    const { idp, person, unknown } = await openUnknown();
    const signIn = await person.submit(unknown, { do: "to-link" });
    const { user_name: username } = await userOf(service, userId);
    const asked = await person.submit(signIn, { username, password: PASSWORD });
    expect(asked.text).toContain('value="link"');
    await restore(idp);
    expect(await person.submit(asked, { do: "link" })).toMatchObject({ status: 422 });
    expect(await linksTo(idp)).toEqual([]);
  });
});

test("a link waits for a change of its provider, and is then refused", async () => {
  const idp = await scene.newIdp();
  const user = await findSignInUser(service, await importAda(service, VERIFIED));
  if (user === undefined) throw new Error("there is no such user");
  const confirmedBy: ConfirmedBy = { id: idp.id, ownerId: service.instanceId, sequence: 1n };
  const link = { idpId: idp.id, externalUserId: newSub(), displayName: "" };
  const add = (db: Database) =>
    linkExternalUser({ db, clock: service.clock, outbox: outboxOf(service) }, user, confirmedBy, link, {
      throwIfOver() {},
    } as never);
  let linked: Promise<unknown> | undefined;
  await service.db.transaction().execute(async (transaction) => {
    await transaction.selectFrom("idps").select("id").where("id", "=", idp.id).forUpdate().execute();
    linked = add(service.db);
    await untilBlocked(service.db);
    await transaction.updateTable("idps").set({ sequence: 2n }).where("id", "=", idp.id).execute();
  });
  expect(await linked).toBeUndefined();
  expect(await linksTo(idp)).toEqual([]);
});
