import { VISITED } from "../../support/browsers/visitor.ts";
import {
  type OtherProviders,
  type RegisteredIdp,
  signInAtIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, newSub } from "./idp-scene.ts";
import { expectNoTakeover, TAKEOVER_CELLS, TAKEOVER_TITLE } from "./takeover.ts";

let providers: OtherProviders;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
const idps = new Map<boolean, RegisteredIdp>();
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", VISITED);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, providers);
  for (const autoRegister of [true, false]) idps.set(autoRegister, await scene.newIdp({ fields: { autoRegister } }));
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

/**
 * The local user has the email address that a provider of the deprecated calls reports. Without a link, that must not
 * matter. idp-takeover-kinds.slow.test.ts has those that depend on the kind.
 */
test.each(TAKEOVER_CELLS)(TAKEOVER_TITLE, async (...cell) => {
  const [email_verified, , , autoRegister] = cell;
  const idp = idps.get(autoRegister);
  if (idp === undefined) throw new Error("there is no provider");
  const sub = newSub();
  const email = `victim-${sub}@example.com`;
  const userName = `stranger-${sub}`;
  const account = { sub, given_name: "Ada", family_name: "L.", preferred_username: userName, email };
  await idp.behave({ account: { ...account, ...(email_verified !== undefined && { email_verified }) } });
  const isVerified = email_verified === true;
  await expectNoTakeover(
    { service, app, scene },
    {
      ...{ idpId: idp.id, externalId: sub, email, userName, isVerified },
      signIn: (person, page) => signInAtIdp(person, page, idp),
    },
    cell,
  );
});
