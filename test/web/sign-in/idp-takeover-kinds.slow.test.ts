import { VISITED } from "../../support/browsers/visitor.ts";
import { CLIENT } from "../../support/oidc/branded-providers.ts";
import { createRelyingParty, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene } from "./idp-scene.ts";
import {
  KINDS,
  type KindProviders,
  newKindProvider,
  nextUser,
  signInAtKind,
  startKindProviders,
} from "./kind-scene.ts";
import { expectNoTakeover, TAKEOVER_CELLS, TAKEOVER_TITLE } from "./takeover.ts";
import { bring, createUnsolicited } from "./unsolicited-scene.ts";

let places: KindProviders;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  places = await startKindProviders();
  service = await startService("postgres", VISITED, { providerHosts: places.branded.hosts });
  places.saml.now = () => service.clock();
  service.secret(CLIENT.clientSecret);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, { origin: "", async configure() {}, async close() {} });
});
afterAll(async () => {
  await service?.close();
  await places?.close();
});

/**
 * Every kind can send each value, so no case is left out: those that do not say whether an address is verified (Microsoft,
 * SAML) could still send a claim or an attribute with this name, which must not count.
 */
describe.each(KINDS)("$kind ($quirks)", (kind) => {
  const idps = new Map<boolean, Promise<{ readonly id: string }>>();
  const find = (isAutoCreation: boolean) => {
    const options = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation };
    const idp = idps.get(isAutoCreation) ?? newKindProvider(service, places, kind, options);
    idps.set(isAutoCreation, idp);
    return idp;
  };

  test.each(TAKEOVER_CELLS)(TAKEOVER_TITLE, async (...cell) => {
    const [verified, , , auto] = cell;
    const idp = await find(auto);
    const { id: externalId, email, login } = nextUser(places, { verified });
    const isVerified = kind.counts ?? verified === true;
    const userName = kind.isNameless ? undefined : login;
    await expectNoTakeover(
      { service, app, scene },
      {
        ...{ idpId: idp.id, externalId, email, userName, isVerified },
        signIn: (person, page) => signInAtKind(service, places, person, page, idp),
      },
      cell,
    );
  });
});

describe("SAML that begins at the provider", () => {
  const idps = new Map<boolean, Promise<{ readonly id: string }>>();
  const find = (isAutoCreation: boolean) => {
    const options = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation };
    const settings = { metadataXml: Buffer.from(places.saml.metadata()).toString("base64"), allowIdpInitiated: true };
    const kind = { kind: "SAML", settings, quirks: "no request" } as const;
    const idp = idps.get(isAutoCreation) ?? newKindProvider(service, places, kind, options);
    idps.set(isAutoCreation, idp);
    return idp;
  };

  test.each(TAKEOVER_CELLS)(TAKEOVER_TITLE, async (...cell) => {
    const [verified, , , auto] = cell;
    const { id: idpId } = await find(auto);
    const { id: externalId, email, login } = nextUser(places, { verified });
    await expectNoTakeover(
      { service, app, scene },
      {
        ...{ idpId, externalId, email, userName: login, isVerified: false },
        async signIn(person, _page, request) {
          const SAMLResponse = await createUnsolicited(service, places.saml, idpId);
          const asked = await bring(service, places.saml, person, idpId, { SAMLResponse });
          const page = await person.submit(asked, {});
          return page.url.pathname === "/ui/account" ? person.open(request.url) : page;
        },
      },
      cell,
    );
  });
});
