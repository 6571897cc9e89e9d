import { importAda, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { type OtherProviders, signInAtIdp, startOtherProviders } from "../../support/oidc/other-provider.ts";
import { createRelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone, newSub, PERSON } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

let providers: OtherProviders;
let service: TestService;
let scene: IdpScene;
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", VISITED);
  for (const secret of [PASSWORD, SECRET]) service.secret(secret);
  scene = createIdpScene(service, await createRelyingParty(service), providers);
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

/** The forms of gates contain a proof, and so does the form that confirms a link. */
test.each<[string, object]>([
  ["Enter your one-time code", { ...VERIFIED, otpCode: SECRET }],
  ["Choose a new password", { ...VERIFIED, passwordChangeRequired: true }],
  ["Confirm your email address", { email: { email: "ada@example.com" } }],
])("an external user is not linked before the page %j is passed", async (title, fields) => {
  const userName = `careful-${newSub()}`;
  const userId = await importAda(service, { userName, password: PASSWORD, ...fields });
  const idp = await scene.newIdp({ account: { ...PERSON, sub: newSub() } });
  const { person, page } = await scene.open();
  const signIn = await person.submit(await signInAtIdp(person, page, idp), { do: "to-link" });
  const gate = await person.submit(signIn, { username: userName, password: PASSWORD });
  expect(gate.title).toBe(title);
  const text = gate.text.replace(/(<form [^>]*action="[^"?]*)\/[a-z-]+\?/, "$1/link?");
  const again = await person.submit({ ...gate, text }, { do: "link" });
  const links = service.db.selectFrom("user_idp_links").selectAll().where("user_id", "=", userId);
  expect(await links.execute()).toEqual([]);
  expect([again.title, isDone(again)]).toEqual([title, false]);
});
