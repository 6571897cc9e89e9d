import { userOf, VISITED } from "../../support/browsers/visitor.ts";
import { chooseIdp, type OtherProviders, signInAtIdp, startOtherProviders } from "../../support/oidc/other-provider.ts";
import { createRelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene } from "./idp-scene.ts";

const FAILURE = "a sign-in with an identity provider failed";

/** A provider chooses what its metadata and keys are. */
let providers: OtherProviders;
let service: TestService;
let scene: IdpScene;
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", VISITED);
  scene = createIdpScene(service, await createRelyingParty(service), providers);
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

function lastFailure({ id }: { readonly id: string }): string {
  const line = service.logs.findLast(({ msg }) => msg === FAILURE);
  const { message = "" } = (line?.err ?? {}) as { message?: string };
  expect(message.startsWith(`identity provider ${id}: `)).toBe(true);
  return message.slice(`identity provider ${id}: `.length);
}

/** Printable text, so that the log does not control a terminal. */
const NOT_PRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

describe("keys are not loaded, and nobody is signed in, if they", () => {
  const NOT_VERIFIED = "the ID token could not be verified: jwks_uri: http://\\S+";

  test.each([
    ["redirect", "redirect-keys", "responds with status 302 instead of 200$"],
    ["are huge", "huge-keys", "cannot be loaded: the response has more than 65536 bytes$"],
    ["are compressed", "bomb-keys", "is not a JSON Web Key Set: Unexpected token "],
    ["are nested deeply", "nested-keys", "is not a JSON Web Key Set: JSON Web Key Set malformed"],
  ])("%s", async (_, variant, reason) => {
    const { idp, userId } = await scene.newLinkedUser(undefined, { variant });
    const { sequence } = await userOf(service, userId);
    const { person, page } = await scene.open();
    expect((await signInAtIdp(person, page, idp)).status).toBe(502);
    expect(lastFailure(idp)).toMatch(new RegExp(`^${NOT_VERIFIED} ${reason}`));
    expect(lastFailure(idp)).not.toMatch(NOT_PRINTABLE);
    expect((await userOf(service, userId)).sequence).toBe(sequence);
  });
});

describe("metadata is not used if it", () => {
  test.each([
    ["is compressed", "bomb-metadata", /openid-configuration is not JSON: Unexpected token /],
    ["is nested deeply", "nested-metadata", /^the metadata is invalid at their root: /],
  ])("%s", async (_, variant, reason) => {
    const idp = await scene.newIdp({ variant });
    const { person, page } = await scene.open();
    expect((await chooseIdp(person, page, idp)).status).toBe(502);
    expect(lastFailure(idp)).toMatch(reason);
    expect(lastFailure(idp)).not.toMatch(NOT_PRINTABLE);
  });
});
