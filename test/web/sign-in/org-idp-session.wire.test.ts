import { sql } from "kysely";
import * as client from "openid-client";
import { grantRole } from "../../../src/access/grant-role.ts";
import type { Role } from "../../../src/roles.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { importAda, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { createCaller } from "../../support/clients/callers.ts";
import {
  type OtherProviders,
  type RegisteredIdp,
  signInAtIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, keepSecret, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone, newSub } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const NOT_ENOUGH =
  "Because of your roles, the sign-in with your organization’s service is not enough for this step. Please sign in " +
  "with your password or a passkey.";

/** An attacker who controls a provider of an organization can sign in as its linked users. */
let providers: OtherProviders;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
let elsewhere: string;
let ofOrg: RegisteredIdp;
let ofInstance: RegisteredIdp;
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", { ...VISITED, IDP_ALLOW_PRIVATE_NETWORKS: "true" });
  for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
  elsewhere = await service.createOrg("Elsewhere");
  // Applications of the instance carry all roles.
  app = await createRelyingParty(service, { owner_id: service.instanceId, api_access: true });
  scene = createIdpScene(service, app, providers);
  [ofOrg, ofInstance] = [await scene.newIdp({ orgId: service.orgId }), await scene.newIdp()];
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

const ROLES: Readonly<Record<string, Role>> = {
  instance: "INSTANCE_OWNER",
  elsewhere: "ORG_OWNER",
  own: "ORG_OWNER",
};

/** A user with roles, linked to both providers, who is the person at both. */
async function newUser(roles: readonly (keyof typeof ROLES)[], fields: object = {}): Promise<string> {
  const sub = newSub();
  const idps = [ofOrg, ofInstance].map(({ id: configId }) => ({ configId, externalUserId: sub }));
  const id = await importAda(service, { ...VERIFIED, password: PASSWORD, idps, ...fields });
  for (const scope of roles) {
    const scopeId = { instance: service.instanceId, elsewhere, own: service.orgId }[scope] ?? "";
    const user = { id, orgId: service.orgId };
    await grantRole({ db: service.db, clock: service.clock }, { user, role: ROLES[scope] ?? "ORG_OWNER", scopeId });
  }
  for (const idp of [ofOrg, ofInstance]) await idp.behave({ account: { sub } });
  return id;
}

describe("an access token for the RPCs", () => {
  const SCOPE = () => `openid offline_access urn:signet:api urn:signet:org:id:${service.orgId}`;

  async function rolesOf(token: string) {
    const caller = createCaller("rest", service, token);
    const outcomes = {
      own: await caller.call("ListOrgMembers", {}),
      elsewhere: await caller.call("ListOrgMembers", {}, { "x-service-orgid": elsewhere }),
      instance: await caller.call("ListIDPs", {}),
    };
    caller.close();
    return Object.entries(outcomes).flatMap(([name, { ok }]) => (ok ? [name] : []));
  }

  test.each([
    ["a provider of the organization", () => ofOrg, ["own"]],
    ["a provider of the instance", () => ofInstance, ["own", "elsewhere", "instance"]],
  ])("carries the right roles after a sign-in with %s", async (_, idp, expected) => {
    for (const roles of [
      ["own", "elsewhere"],
      ["own", "instance"],
    ] as const) {
      await newUser(roles);
      const { person, request, page } = await scene.open({ parameters: { scope: SCOPE() } });
      const tokens = await redeem(service, app, (await signInAtIdp(person, page, idp())).url, request);
      const held = roles.includes("instance" as never) ? expected : expected.filter((name) => name !== "instance");
      expect(await rolesOf(tokens.access_token)).toEqual(held);
      const refreshed = await client.refreshTokenGrant(app.configuration, String(tokens.refresh_token));
      keepSecret(service, refreshed);
      expect(await rolesOf(refreshed.access_token)).toEqual(held);
    }
  });

  test("carries all roles once the user has entered the password in the same browser", async () => {
    const id = await newUser(["own", "instance"]);
    const { person, page } = await scene.open({ parameters: { scope: SCOPE() } });
    await signInAtIdp(person, page, ofOrg);
    const again = await scene.open({ person, parameters: { scope: SCOPE(), prompt: "login" } });
    const username = (await userOf(service, id)).user_name;
    const done = await person.submit(again.page, { username, password: PASSWORD });
    const tokens = await redeem(service, app, done.url, again.request);
    expect(await rolesOf(tokens.access_token)).toEqual(["own", "elsewhere", "instance"]);
  });

  test("of a session that began before its provider's owner was recorded has the roles in the organization only", async () => {
    const id = await newUser(["own", "instance"]);
    const { person, request, page } = await scene.open({ parameters: { scope: SCOPE() } });
    const tokens = await redeem(service, app, (await signInAtIdp(person, page, ofInstance)).url, request);
    await service.db
      .updateTable("oidc_artifacts")
      .set({ payload: sql`payload - 'idpOwner'` })
      .where("user_id", "=", id)
      .where("kind", "=", "Session")
      .execute();
    expect(await rolesOf(tokens.access_token)).toEqual(["own"]);
  });
});

describe("the account page", () => {
  /** Signs in with a provider, and again because of the action, and repeats it. */
  async function tryTwice(idp: RegisteredIdp, act: (person: Person, account: Page) => Promise<Page>): Promise<Page> {
    const person = createPerson(service);
    service.clockOffsetMs += 6_000;
    const asked = await act(person, await signInAtIdp(person, await person.open("/ui/account"), idp));
    await idp.behave({ secondsAhead: service.clockOffsetMs / 1_000 });
    return asked.title === "Sign in to Signet" ? await act(person, await signInAtIdp(person, asked, idp)) : asked;
  }
  const addPasskey = async (person: Person, account: Page) => {
    const added = await person.submit(account, { do: "add-passkey" });
    service.secret(added.url.searchParams.get("code")?.split(".")[1] ?? "");
    return added;
  };
  const setUpCode = (person: Person) => person.open("/ui/account/one-time-code");

  test.each([
    ["instance", "add-passkey", addPasskey],
    ["elsewhere", "add-passkey", addPasskey],
    ["instance", "one-time code", setUpCode],
  ] as const)("with roles in %s refuses %s after a sign-in with the organization's provider", async (scope, _, act) => {
    const id = await newUser([scope]);
    const refused = await tryTwice(ofOrg, act);
    expect([refused.status, refused.text.includes(NOT_ENOUGH)]).toEqual([403, true]);
    expect(await service.db.selectFrom("codes").selectAll().where("user_id", "=", id).execute()).toEqual([]);
  });

  test("accepts the provider of the instance, and users with roles in the organization only", async () => {
    await newUser(["instance"]);
    expect((await tryTwice(ofInstance, addPasskey)).title).toBe("Set up a passkey");
    await newUser(["own"]);
    expect((await tryTwice(ofOrg, addPasskey)).title).toBe("Set up a passkey");
  });
});

describe("a sign-in with the organization's provider", () => {
  test("does not set the password of an owner of the instance", async () => {
    const id = await newUser(["instance"], { passwordChangeRequired: true });
    const { password_hash } = await userOf(service, id);
    const { person, page } = await scene.open();
    const refused = await signInAtIdp(person, page, ofOrg);
    expect([refused.status, refused.alert]).toEqual([422, NOT_ENOUGH]);
    const forced = await person.submit(refused, { password: NEW_PASSWORD, repeat: NEW_PASSWORD });
    expect(isDone(forced)).toBe(false);
    expect((await userOf(service, id)).password_hash).toBe(password_hash);
    // Others set it as before.
    await newUser(["own"], { passwordChangeRequired: true });
    const own = await scene.open();
    expect((await signInAtIdp(own.person, own.page, ofOrg)).title).toBe("Choose a new password");
  });

  test("adds no passkey, in whichever form its proof is sent", async () => {
    const id = await newUser(["instance"]);
    await ofInstance.behave({ account: { sub: newSub() } });
    const { person, page } = await scene.open();
    const signIn = await person.submit(await signInAtIdp(person, page, ofInstance), { do: "to-link" });
    await service.db.updateTable("users").set({ email_verified: false }).where("id", "=", id).execute();
    const gate = await signInAtIdp(person, signIn, ofOrg);
    expect(gate.title).toBe("Confirm your email address");
    await service.db.updateTable("users").set({ email_verified: true }).where("id", "=", id).execute();
    for (const [step, fields] of [
      ["add-passkey", { do: "add" }],
      ["link", { do: "link" }],
      ["new-password", { password: NEW_PASSWORD, repeat: NEW_PASSWORD }],
    ] as const) {
      const text = gate.text.replace(/(<form [^>]*action="[^"?]*\/)[^"?/]*\?/, `$1${step}?`);
      expect(text).not.toBe(gate.text);
      await person.submit({ ...gate, text }, fields);
    }
    const codes = service.db.selectFrom("codes").select("kind").where("user_id", "=", id).where("kind", "=", "passkey");
    expect(await codes.execute()).toEqual([]);
    const links = service.db.selectFrom("user_idp_links").selectAll().where("user_id", "=", id);
    expect(await links.execute()).toHaveLength(2);
  });

  test("links no other account to an owner of the instance", async () => {
    const stranger = newSub();
    const linksOf = (id: string) => service.db.selectFrom("user_idp_links").selectAll().where("user_id", "=", id);
    for (const scope of ["instance", "own"] as const) {
      const id = await newUser([scope]);
      await ofInstance.behave({ account: { sub: `${stranger}-${scope}` } });
      const { person, page } = await scene.open();
      const unknown = await signInAtIdp(person, page, ofInstance);
      const signIn = await person.submit(unknown, { do: "to-link" });
      const next = await signInAtIdp(person, signIn, ofOrg);
      if (scope === "instance") {
        expect(isDone(next)).toBe(true);
        expect(await linksOf(id).execute()).toHaveLength(2);
        continue;
      }
      expect(isDone(await person.submit(next, { do: "link" }))).toBe(true);
      expect(await linksOf(id).execute()).toHaveLength(3);
    }
  });
});
