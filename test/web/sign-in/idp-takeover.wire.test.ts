import { importAda, userOf, VISITED } from "../../support/browsers/visitor.ts";
import {
  type OtherProviders,
  type RegisteredIdp,
  signInAtIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone, newSub } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";
const ADDRESS = "victim@example.com";

let providers: OtherProviders;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
const idps = new Map<boolean, RegisteredIdp>();
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", VISITED);
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, providers);
  for (const autoRegister of [true, false]) idps.set(autoRegister, await scene.newIdp({ fields: { autoRegister } }));
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

const idpWith = (autoRegister: boolean) => {
  const idp = idps.get(autoRegister);
  if (idp === undefined) throw new Error("there is no provider");
  return idp;
};

const BOTH = [true, false];
const CELLS = [true, false, undefined, "false"].flatMap((atProvider) =>
  BOTH.flatMap((local) =>
    BOTH.flatMap((password) =>
      BOTH.flatMap((auto) => BOTH.map((linked) => [atProvider, local, password, auto, linked] as const)),
    ),
  ),
);

/** The local user has the email address and the name that a provider reports. Without a link, that must not matter. */
test.each(CELLS)(
  "verified at the provider: %s, verified here: %s, password: %s, autoRegister: %s, link: %s",
  async (email_verified, isEmailVerified, hasPassword, autoRegister, isLinked) => {
    const idp = idpWith(autoRegister);
    const sub = newSub();
    const strangerName = `stranger-${sub}`;
    const userId = await importAda(service, {
      email: { email: ADDRESS, isEmailVerified },
      ...(hasPassword && { password: PASSWORD }),
      ...(isLinked && { idps: [{ configId: idp.id, externalUserId: sub, displayName: "" }] }),
    });
    const before = await userOf(service, userId);
    const account = { sub, given_name: "Ada", family_name: "L.", preferred_username: strangerName, email: ADDRESS };
    await idp.behave({ account: { ...account, ...(email_verified !== undefined && { email_verified }) } });
    const { person, request, page } = await scene.open();
    const result = await signInAtIdp(person, page, idp);
    const isVerified = email_verified === true;
    const stranger = await service.db
      .selectFrom("users")
      .select(["id", "email_verified"])
      .where("user_name", "=", strangerName)
      .executeTakeFirst();
    const signedInAs = isDone(result) ? (await redeem(service, app, result.url, request)).claims()?.sub : undefined;
    if (isLinked) {
      // A link signs in to the account, whatever the provider reports about the address. The gate comes first.
      expect(signedInAs).toBe(isEmailVerified ? userId : undefined);
      if (!isEmailVerified) expect(result.title).toBe("Confirm your email address");
      expect(stranger).toBeUndefined();
      return;
    }
    // The external user cannot sign in to the account, and the account does not change.
    expect(await userOf(service, userId)).toEqual(before);
    const links = service.db.selectFrom("user_idp_links").selectAll().where("user_id", "=", userId);
    expect(await links.execute()).toEqual([]);
    if (!autoRegister) {
      expect([result.title, signedInAs, stranger]).toEqual(["Account not linked yet", undefined, undefined]);
      return;
    }
    expect(stranger).toMatchObject({ email_verified: isVerified });
    expect(signedInAs).toBe(isVerified ? stranger?.id : undefined);
    if (!isVerified) expect(result.title).toBe("Confirm your email address");
  },
);
