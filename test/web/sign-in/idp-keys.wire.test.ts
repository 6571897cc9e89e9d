import { VISITED } from "../../support/browsers/visitor.ts";
import {
  type OtherProviderOptions,
  type OtherProviders,
  signInAtIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone, newSub, PERSON } from "./idp-scene.ts";

let providers: OtherProviders;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", VISITED);
  service.stopClock();
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, providers);
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

/** jose's message. */
const NOT_ALLOWED = '"alg" (Algorithm) Header Parameter value not allowed';

function newAccount() {
  const sub = newSub();
  return { ...PERSON, sub, preferred_username: `name-of-${sub}`, email: `${sub}@example.com` };
}

const messageOfLastFailure = () => {
  const line = service.logs.findLast(({ msg }) => msg === "a sign-in with an identity provider failed");
  return String((line?.err as { message?: unknown } | undefined)?.message);
};

test("a provider replaces its signing key between two sign-ins", async () => {
  const { idp, userId } = await scene.newLinkedUser(undefined, { kid: "first" });
  for (const kid of ["first", "second", "third"]) {
    await idp.behave({ kid });
    const { person, request, page } = await scene.open();
    const done = await signInAtIdp(person, page, idp);
    expect((await redeem(service, app, done.url, request)).claims()?.sub).toBe(userId);
  }
});

test("a key that the provider does not publish is looked for, and then refused", async () => {
  const { idp } = await scene.newLinkedUser();
  await idp.behave({ variant: "unpublished-key" });
  const { person, page } = await scene.open();
  expect((await signInAtIdp(person, page, idp)).status).toBe(502);
  expect(messageOfLastFailure()).toBe(
    `identity provider ${idp.id}: the ID token could not be verified: no applicable key found in the JSON Web Key Set`,
  );
  await idp.behave({ variant: "honest" });
  const again = await scene.open();
  expect(isDone(await signInAtIdp(again.person, again.page, idp))).toBe(true);
});

describe("signed userinfo", () => {
  /** A provider that signs the userinfo about a new external user, and nothing is in the ID token. */
  async function newSigningIdp(options: Partial<OtherProviderOptions> = {}) {
    const idp = await scene.newIdp({ fields: { autoRegister: true } });
    const client = {
      client_id: `signet-${idp.name}`,
      client_secret: `client-secret-of-${idp.name}`,
      redirect_uris: [`${service.config.publicUrl}/ui/idps/${idp.id}/callback`],
      userinfo_signed_response_alg: "RS256",
    };
    await idp.behave({ clients: [client], account: newAccount(), ...options });
    return idp;
  }

  test("registers a user, also with a key that is new since the last sign-in", async () => {
    const idp = await newSigningIdp();
    for (const variant of ["honest", "info-new-key"]) {
      const account = newAccount();
      await idp.behave({ variant, account });
      const { person, page } = await scene.open();
      expect(isDone(await signInAtIdp(person, page, idp))).toBe(true);
      const user = await service.db
        .selectFrom("users")
        .select(["first_name", "email", "email_verified"])
        .where("user_name", "=", account.preferred_username)
        .executeTakeFirst();
      expect(user).toEqual({ first_name: "Grace", email: account.email, email_verified: true });
    }
  });

  test.each([
    ["info-wrong-signature", "signature verification failed"],
    ["info-alg-none", NOT_ALLOWED],
    ["info-alg-hs256", NOT_ALLOWED],
    ["info-wrong-iss", "the claim iss is not the provider"],
    ["info-wrong-aud", "the claim aud does not contain the client id"],
    ["info-wrong-sub", "the claim sub is another user"],
  ])("is refused: %s", async (variant, reason) => {
    const idp = await newSigningIdp({ variant });
    const { person, page } = await scene.open();
    expect((await signInAtIdp(person, page, idp)).status).toBe(502);
    expect(messageOfLastFailure()).toBe(
      `identity provider ${idp.id}: the userinfo endpoint could not be used: ${reason}`,
    );
  });
});
