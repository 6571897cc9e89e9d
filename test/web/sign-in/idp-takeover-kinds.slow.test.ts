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
import { expectNoTakeover, KIND_CELLS, TAKEOVER_TITLE } from "./takeover.ts";
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

const OPTIONS = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true };

/**
 * Every kind can send each value, so no case is left out: those that do not say whether an address is verified (Microsoft,
 * SAML) could still send a claim or an attribute with this name, which must not count.
 */
describe.each(KINDS)("$kind ($quirks)", (kind) => {
  let idp: { readonly id: string };
  beforeAll(async () => {
    idp = await newKindProvider(service, places, kind, OPTIONS);
  });

  test.each(KIND_CELLS)(TAKEOVER_TITLE, async (...cell) => {
    const [verified] = cell;
    const { linkedAs = ({ id }) => id } = kind;
    const user = nextUser(places, { verified });
    const { email, login } = user;
    const isVerified = kind.counts ?? verified === true;
    const userName = kind.isNameless ? undefined : login;
    await expectNoTakeover(
      { service, app, scene },
      {
        ...{ idpId: idp.id, externalId: linkedAs(user), email, userName, isVerified },
        signIn: (person, page) => signInAtKind(service, places, person, page, idp),
      },
      cell,
    );
  });
});

describe("SAML that begins at the provider", () => {
  let idpId: string;
  beforeAll(async () => {
    const settings = { metadataXml: Buffer.from(places.saml.metadata()).toString("base64"), allowIdpInitiated: true };
    ({ id: idpId } = await newKindProvider(service, places, { kind: "SAML", settings, quirks: "no request" }, OPTIONS));
  });

  test.each(KIND_CELLS)(TAKEOVER_TITLE, async (...cell) => {
    const [verified] = cell;
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
