import { createPerson } from "../../support/browsers/person.ts";
import { call, importAda, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { type OtherProviders, signInAtIdp, startOtherProviders } from "../../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone, newSub } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const MUST_CHANGE = { ...VERIFIED, password: PASSWORD, passwordChangeRequired: true };
const CHANGE = { password: NEW_PASSWORD, repeat: NEW_PASSWORD };
const GATE = "Choose a new password";
const ENDED = "This sign-in has ended";

let providers: OtherProviders;
beforeAll(async () => {
  providers = await startOtherProviders();
});
afterAll(() => providers?.close());

describe("a sign-in that waits at a gate", () => {
  let service: TestService;
  let app: RelyingParty;
  let scene: IdpScene;
  beforeAll(async () => {
    service = await startService("postgres", VISITED);
    for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
    app = await createRelyingParty(service);
    scene = createIdpScene(service, app, providers);
  });
  afterAll(() => service?.close());

  async function newUser() {
    const userName = `user-${newSub()}`;
    return { userName, userId: await importAda(service, { userName, ...MUST_CHANGE }) };
  }

  test("ends when the link to the provider is removed that has confirmed the identity", async () => {
    const { idp, userId, sub } = await scene.newLinkedUser(MUST_CHANGE);
    const { person, page } = await scene.open();
    const gate = await signInAtIdp(person, page, idp);
    expect(gate.title).toBe(GATE);
    const before = await userOf(service, userId);
    await call(service, "RemoveHumanLinkedIDP", { userId, idpId: idp.id, linkedUserId: sub });
    expect((await person.submit(gate, CHANGE)).title).toBe(ENDED);
    expect((await userOf(service, userId)).password_hash).toBe(before.password_hash);
  });

  test("ends when the user is locked, and then unlocked", async () => {
    const { userName: username, userId: id } = await newUser();
    const person = createPerson(service);
    const gate = await person.submit(await person.open(createRequest(app).url), { username, password: PASSWORD });
    expect(gate.title).toBe(GATE);
    await call(service, "LockUser", { id });
    await call(service, "UnlockUser", { id });
    expect((await person.submit(gate, CHANGE)).title).toBe(ENDED);
  });

  test("ends even though another user has entered a password in it since", async () => {
    const [{ userName: username, userId: id }, other] = [await newUser(), await newUser()];
    const person = createPerson(service);
    const page = await person.open(createRequest(app).url);
    const gate = await person.submit(page, { username, password: PASSWORD });
    const otherGate = await person.submit(page, { username: other.userName, password: PASSWORD });
    await call(service, "LockUser", { id });
    await call(service, "UnlockUser", { id });
    const { password_hash } = await userOf(service, id);
    expect((await person.submit(gate, CHANGE)).title).toMatch(/^Sign in to /);
    expect((await userOf(service, id)).password_hash).toBe(password_hash);
    expect(isDone(await person.submit(otherGate, CHANGE))).toBe(true);
  });

  test("continues when the user changes the password in it", async () => {
    const { userName: username } = await newUser();
    const person = createPerson(service);
    const gate = await person.submit(await person.open(createRequest(app).url), { username, password: PASSWORD });
    expect(isDone(await person.submit(gate, CHANGE))).toBe(true);
  });
});
