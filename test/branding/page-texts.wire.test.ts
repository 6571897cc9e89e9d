import type { JsonObject } from "@bufbuild/protobuf";
import { createPerson } from "../support/browsers/person.ts";
import { VISITED } from "../support/browsers/visitor.ts";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** Longer than brandings are remembered. */
const LATER_MS = 6_000;
const TITLE = "signIn.titleFor";
const SUBMIT = "signIn.submit";

let service: TestService;
let caller: Caller;
let orgId: string;
let send: ReturnType<typeof createSend>;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.stopClock();
  caller = createCaller("grpc", service, service.adminToken);
  orgId = await service.createOrg("Org");
  send = createSend(caller, orgId);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const createSend =
  (caller: Caller, orgId?: string) =>
  async (rpc: Rpc, request: JsonObject = {}): Promise<JsonObject> => {
    const outcome = await caller.call(rpc, request, orgId === undefined ? {} : { "x-service-orgid": orgId });
    if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
    return outcome.message;
  };

const call = (rpc: Rpc, request: JsonObject = {}) => caller.call(rpc, request, { "x-service-orgid": orgId });
const textOf = async (rpc: Rpc, key: string, language = "en") => {
  const { result } = await send(rpc, { language });
  return (result as JsonObject[]).find((found) => found.key === key);
};
const replace = (text: string, key = SUBMIT) => ({ language: "en", texts: [{ key, text }] });

test("an organization has the texts of the instance, until it replaces them, and again after a reset", async () => {
  const builtIn = await textOf("ListCustomPageTexts", TITLE);
  expect(builtIn).toEqual({ key: TITLE, text: "Sign in to {{app}}", isDefault: true, placeholders: ["{{app}}"] });
  await send("SetDefaultPageTexts", replace("{{app}} of the instance", TITLE));
  expect(await textOf("ListDefaultPageTexts", TITLE)).toMatchObject({
    text: "{{app}} of the instance",
    isDraft: true,
  });
  // An organization inherits what is active.
  expect(await textOf("ListCustomPageTexts", TITLE)).toEqual(builtIn);
  await send("ActivateLabelPolicy");
  expect(await textOf("ListDefaultPageTexts", TITLE)).not.toHaveProperty("isDraft");
  expect(await textOf("ListCustomPageTexts", TITLE)).toMatchObject({
    text: "{{app}} of the instance",
    isDefault: true,
  });

  const stored = await send("SetCustomPageTexts", replace("Welcome to {{app}}", TITLE));
  expect(stored).toMatchObject({ details: { sequence: "1", resourceOwner: orgId } });
  // Nothing changes.
  expect(await send("SetCustomPageTexts", replace("Welcome to {{app}}", TITLE))).toEqual(stored);
  await send("SetCustomPageTexts", replace("Go on"));
  expect(await textOf("ListCustomPageTexts", TITLE)).toEqual({
    ...{ key: TITLE, text: "Welcome to {{app}}", isDraft: true, placeholders: ["{{app}}"] },
  });
  expect(await textOf("ListCustomPageTexts", SUBMIT, "de")).toMatchObject({ isDefault: true });
  // Back to the original, one by one.
  await send("SetCustomPageTexts", replace(""));
  expect(await textOf("ListCustomPageTexts", SUBMIT)).toMatchObject({ text: "Sign in", isDefault: true });

  await send("ResetCustomPageTextsToDefault", { language: "en" });
  expect(await textOf("ListCustomPageTexts", TITLE)).toMatchObject({ text: "{{app}} of the instance" });
  await send("ResetDefaultPageTextsToDefault", { language: "en" });
  expect(await textOf("ListCustomPageTexts", TITLE)).toEqual(builtIn);
  const again = () => call("ResetCustomPageTextsToDefault", { language: "en" });
  await expectError(service.db, "grpc", again, "TEXT_NOT_FOUND");
  const events = await service.db
    .selectFrom("events")
    .select(["type", "payload"])
    .where("owner_id", "=", orgId)
    .where("type", "like", "%page.texts%")
    .orderBy("sequence")
    .execute();
  expect(events).toEqual([
    { type: "org.page.texts.changed", payload: { language: "en", texts: { [TITLE]: "Welcome to {{app}}" } } },
    { type: "org.page.texts.changed", payload: { language: "en", texts: { [SUBMIT]: "Go on" } } },
    { type: "org.page.texts.changed", payload: { language: "en", texts: { [SUBMIT]: "" } } },
    { type: "org.page.texts.removed", payload: { language: "en" } },
  ]);
});

test("texts do not make a label policy, and a label policy keeps them", async () => {
  await send("SetCustomPageTexts", replace("Go on"));
  await send("ActivateCustomLabelPolicy");
  expect(await send("GetLabelPolicy")).toMatchObject({ isDefault: true });
  await send("AddCustomLabelPolicy", { name: "Example" });
  await send("ResetLabelPolicyToDefault");
  expect(await textOf("ListCustomPageTexts", SUBMIT)).toEqual({ key: SUBMIT, text: "Go on" });
  await send("ResetCustomPageTextsToDefault", { language: "en" });
});

test("an organization cannot replace the texts by which people decide about links to other accounts", async () => {
  const { result } = await send("ListCustomPageTexts", { language: "en" });
  const keys = (result as { key: string }[]).map(({ key }) => key);
  for (const key of ["signIn.idp.confirm.skip", "signIn.idp.linked.submit", "oidc.device.signIn"]) {
    expect(keys).not.toContain(key);
    const set = () => call("SetCustomPageTexts", replace("Continue", key));
    await expectError(service.db, "grpc", set, "INVALID_ARGUMENT", ["texts[0].key"]);
  }
  expect(await textOf("ListDefaultPageTexts", "oidc.device.signIn")).toMatchObject({ isDefault: true });
});

test.each<[string, JsonObject, string[]]>([
  ["a language without texts", { ...replace("A"), language: "it" }, ["language"]],
  ["no texts", { language: "en", texts: [] }, ["texts"]],
  ["no key", replace("A", ""), ["texts[0].key"]],
  ["an unknown key", replace("A", "signIn.gone"), ["texts[0].key"]],
  ["a key of a part", replace("A", "signIn"), ["texts[0].key"]],
  ["a key of a prototype", replace("A", "constructor"), ["texts[0].key"]],
  ["a key twice", { language: "en", texts: [0, 1].map(() => ({ key: SUBMIT, text: "A" })) }, ["texts[1].key"]],
  ["an unknown placeholder", replace("Go {{app}}"), ["texts[0].text"]],
  ["a missing placeholder", replace("Welcome", TITLE), ["texts[0].text"]],
  ["another placeholder", replace("{{app}} {{org}}", TITLE), ["texts[0].text"]],
  ["half a placeholder", replace("{{app}} {{", TITLE), ["texts[0].text"]],
  ["HTML", replace("<b>Go</b>"), ["texts[0].text"]],
  ["a line break", replace("Go\non"), ["texts[0].text"]],
  ["a reversed text", replace("Go \u202eon"), ["texts[0].text"]],
  ["a long text", replace("a".repeat(501)), ["texts[0].text"]],
])("rejects %s", async (_, request, fields) => {
  await expectError(service.db, "grpc", () => call("SetCustomPageTexts", request), "INVALID_ARGUMENT", fields);
});

describe("pages", () => {
  let send: ReturnType<typeof createSend>;
  let app: RelyingParty;
  let otherApp: RelyingParty;
  beforeAll(async () => {
    send = createSend(caller);
    app = await createRelyingParty(service);
    otherApp = await createRelyingParty(service, { owner_id: await service.createOrg("Other") });
  });
  beforeEach(async () => {
    await service.db.deleteFrom("brandings").execute();
    service.clockOffsetMs += LATER_MS;
  });

  const openSignIn = async (party = app) => (await createPerson(service).open(createRequest(party).url)).text;
  const set = (texts: Record<string, string>, rpc: Rpc = "SetCustomPageTexts") =>
    send(rpc, { language: "en", texts: Object.entries(texts).map(([key, text]) => ({ key, text })) });
  const activate = async (rpc: Rpc = "ActivateCustomLabelPolicy") => {
    await send(rpc);
    service.clockOffsetMs += LATER_MS;
  };

  test("a preview shows texts before they are active, in the language of the link", async () => {
    await set({ [TITLE]: "Welcome to {{app}}", [SUBMIT]: "Go & 3 > 2" });
    await send("SetCustomPageTexts", { language: "de", texts: [{ key: SUBMIT, text: "Los" }] });
    expect(await openSignIn()).not.toContain("Welcome to");
    const { previewUrl } = (await send("GetPreviewLabelPolicy")) as { previewUrl: string };
    const { pathname, search } = new URL(previewUrl);
    const open = async (query: string) => await (await fetch(service.origin + pathname + search + query)).text();
    expect(await open("")).toContain("<h1>Welcome to Example</h1>");
    expect(await open("")).toContain("<button>Go &amp; 3 &gt; 2</button>");
    const german = await open("&language=de");
    expect(german).toContain('<html lang="de">');
    expect(german).toContain("<button>Los</button>");
    expect(german).toContain("<h1>Bei Example anmelden</h1>");
  });

  test("pages of the organization have its texts, and pages of others do not", async () => {
    await set({ [TITLE]: "Welcome to {{app}}", "signIn.identifiers.withEmail.failed": "No such account." });
    await activate();
    expect(await openSignIn()).toContain("<h1>Welcome to ");
    expect(await openSignIn(otherApp)).toContain("<h1>Sign in to ");
    await send("ResetCustomPageTextsToDefault", { language: "en" });
    service.clockOffsetMs += LATER_MS;
    expect(await openSignIn()).toContain("<h1>Sign in to ");
  });

  test("texts of the instance are on all pages, also on those of no organization", async () => {
    await set({ [TITLE]: "At the instance: {{app}}", "oidc.device.ask.title": "Connect a TV" }, "SetDefaultPageTexts");
    await set({ "frame.problems.not-found.title": "Nothing here" }, "SetDefaultPageTexts");
    await set({ [SUBMIT]: "Go on" });
    await send("ActivateLabelPolicy");
    await activate();
    const own = await openSignIn();
    expect(own).toContain("<h1>At the instance: ");
    expect(own).toContain("<button>Go on</button>");
    const other = await openSignIn(otherApp);
    expect(other).toContain("<h1>At the instance: ");
    expect(other).not.toContain("Go on");
    const person = createPerson(service);
    expect((await person.open("/ui/device")).text).toContain("<h1>Connect a TV</h1>");
    expect((await person.open("/ui/nothing")).text).toContain("Nothing here</h1>");
  });

  test("concurrent changes of different texts are all stored", async () => {
    const keys = ["signIn.submit", "signIn.cancel", "signIn.remember", "signIn.forgotten", "signIn.password"];
    await Promise.all(keys.map((key) => set({ [key]: `New ${key}` })));
    const { result } = await send("ListCustomPageTexts", { language: "en" });
    const changed = (result as JsonObject[]).filter(({ isDefault }) => isDefault !== true);
    expect(changed.map(({ key }) => key).sort()).toEqual([...keys].sort());
  });

  test("the texts of an owner have a maximum size", async () => {
    const { result } = await send("ListCustomPageTexts", { language: "en" });
    const plain = (result as { key: string; placeholders?: string[] }[])
      .filter(({ placeholders = [] }) => placeholders.length === 0)
      .map(({ key }) => key);
    // A character of four bytes.
    const text = "𝐀".repeat(500);
    const setMany = (from: number) =>
      caller.call("SetCustomPageTexts", {
        language: "en",
        texts: plain.slice(from, from + 50).map((key) => ({ key, text })),
      });
    expect(await setMany(0)).toMatchObject({ ok: true });
    await expectError(service.db, "grpc", () => setMany(50), "PAGE_TEXTS_LIMIT");
  });
});
