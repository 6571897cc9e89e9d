import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import PostalMime from "postal-mime";
import { TEXTS } from "../../src/texts/languages.ts";
import { call as callRpc, importAda, VISITED } from "../support/browsers/visitor.ts";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { MESSAGE_TEXT } from "../support/message-text.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const SMS = { type: "MESSAGE_TEXT_TYPE_PHONE_VERIFICATION", language: "de", text: "Ihr Code lautet {{code}}" };
const { subject, text, buttonText } = MESSAGE_TEXT;

const toOneLine = (words: unknown) => String(words).replaceAll(/\s+/g, " ");

let service: TestService;
let caller: Caller;
let orgId: string;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  caller = createCaller("grpc", service, service.adminToken);
  orgId = await service.createOrg("Org");
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const call = (rpc: Rpc, request: JsonObject = {}) => caller.call(rpc, request, { "x-service-orgid": orgId });
const send = async (rpc: Rpc, request: JsonObject = {}): Promise<JsonObject> => {
  const outcome = await call(rpc, request);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};
const textOf = async (rpc: Rpc, type: string, language = "en") => {
  const { result } = await send(rpc, { language });
  return (result as JsonObject[]).find((found) => found.type === type);
};

test("an organization has the texts of the instance, until it replaces them, and again after a reset", async () => {
  const { type } = MESSAGE_TEXT;
  const builtIn = await textOf("ListCustomMessageTexts", type);
  expect(builtIn).toMatchObject({
    subject: "Choose a new password",
    text: expect.stringContaining("at {{host}}."),
    isDefault: true,
    placeholders: ["{{host}}"],
  });
  await send("SetDefaultMessageText", { ...MESSAGE_TEXT, subject: "Of the instance" });
  expect(await textOf("ListDefaultMessageTexts", type)).not.toHaveProperty("isDefault");
  expect(await textOf("ListCustomMessageTexts", type)).toMatchObject({
    subject: "Of the instance",
    isDefault: true,
  });

  const stored = await send("SetCustomMessageText", MESSAGE_TEXT);
  expect(stored).toMatchObject({ details: { sequence: "1", resourceOwner: orgId } });
  // Nothing changes.
  expect(await send("SetCustomMessageText", MESSAGE_TEXT)).toEqual(stored);
  const own = await textOf("ListCustomMessageTexts", type);
  expect(own).toMatchObject({ subject, text, buttonText });
  expect(own).not.toHaveProperty("isDefault");
  // Not in other languages.
  expect(await textOf("ListCustomMessageTexts", type, "de")).toMatchObject({ isDefault: true });

  await send("ResetCustomMessageTextToDefault", { type, language: "en" });
  expect(await textOf("ListCustomMessageTexts", type)).toMatchObject({ subject: "Of the instance" });
  await send("ResetDefaultMessageTextToDefault", { type, language: "en" });
  expect(await textOf("ListCustomMessageTexts", type)).toEqual(builtIn);
  const again = () => call("ResetCustomMessageTextToDefault", { type, language: "en" });
  await expectError(service.db, "grpc", again, "TEXT_NOT_FOUND");
  const events = await service.db
    .selectFrom("events")
    .select(["type", "payload"])
    .where("owner_id", "=", orgId)
    .where("type", "like", "%message.text%")
    .orderBy("sequence")
    .execute();
  expect(events).toEqual([
    {
      type: "org.message.text.changed",
      payload: { message: "password-reset", language: "en", subject, text, button: buttonText },
    },
    { type: "org.message.text.removed", payload: { message: "password-reset", language: "en" } },
  ]);
});

test("texts do not make a label policy, and a label policy keeps them", async () => {
  await send("SetCustomMessageText", MESSAGE_TEXT);
  expect(await send("GetLabelPolicy")).toMatchObject({ isDefault: true });
  await expectError(service.db, "grpc", () => call("UpdateCustomLabelPolicy", { name: "A" }), "POLICY_NOT_FOUND");
  await send("AddCustomLabelPolicy", { name: "Example" });
  await send("ActivateCustomLabelPolicy");
  await send("ResetLabelPolicyToDefault");
  expect(await textOf("ListCustomMessageTexts", MESSAGE_TEXT.type)).toMatchObject({ subject });
  const { type, language } = MESSAGE_TEXT;
  await send("ResetCustomMessageTextToDefault", { type, language });
});

test("a preview renders texts that are not stored", async () => {
  const email = await send("GetPreviewCustomMessageText", {
    ...MESSAGE_TEXT,
    text: "<b>Hello</b> & welcome to {{host}}.",
  });
  const { host } = new URL(service.config.publicUrl);
  expect(email).toMatchObject({ subject, text: expect.stringContaining(`<b>Hello</b> & welcome to ${host}.`) });
  expect(email.html).toContain(`&lt;b&gt;Hello&lt;/b&gt; &amp; welcome to ${host}.`);
  const sms = await send("GetPreviewCustomMessageText", SMS);
  expect(sms).toEqual({ text: expect.stringMatching(/^Ihr Code lautet 123456\n/) });
  expect(await textOf("ListCustomMessageTexts", MESSAGE_TEXT.type)).toMatchObject({ isDefault: true });
});

test.each(["en", "de", "fr", "es"])("the built-in texts in %s can be rendered and stored", async (language) => {
  const { host } = new URL(service.config.publicUrl);
  const { result } = await send("ListCustomMessageTexts", { language });
  expect(result).toHaveLength(21);
  for (const { type = "", subject = "", text = "", buttonText = "" } of result as JsonObject[]) {
    const texts = { type, language, subject, text, buttonText };
    const shown = await send("GetPreviewCustomMessageText", texts);
    expect(shown.subject ?? "").toBe(subject);
    const expected = String(text).replaceAll("{{host}}", host).replaceAll("{{code}}", "123456");
    expect(toOneLine(shown.text)).toContain(toOneLine(expected));
    // In the HTML form only.
    if (buttonText !== "") expect(shown.html).toContain(`>${buttonText}</a>`);
    await send("SetCustomMessageText", texts);
  }
  await service.db.deleteFrom("brandings").execute();
});

test.each<[string, JsonObject, string[]]>([
  ["no message", { ...MESSAGE_TEXT, type: "MESSAGE_TEXT_TYPE_UNSPECIFIED" }, ["type"]],
  ["a language without texts", { ...MESSAGE_TEXT, language: "it" }, ["language"]],
  ["no texts", { type: MESSAGE_TEXT.type, language: "en" }, ["buttonText", "subject", "text"]],
  ["an unknown placeholder", { ...MESSAGE_TEXT, text: "Hello {{displayName}}" }, ["text"]],
  ["half a placeholder", { ...MESSAGE_TEXT, text: "Hello {{host" }, ["text"]],
  ["a placeholder of another message", { ...MESSAGE_TEXT, text: "{{code}}" }, ["text"]],
  ["a placeholder in the subject", { ...MESSAGE_TEXT, subject: "At {{host}}" }, ["subject"]],
  ["a URL", { ...MESSAGE_TEXT, text: "Open https://evil" }, ["text"]],
  ["a host", { ...MESSAGE_TEXT, text: "Open evil.example now" }, ["text"]],
  ["a host with another dot", { ...MESSAGE_TEXT, text: "Open evil。example now" }, ["text"]],
  ["a host of enclosed letters", { ...MESSAGE_TEXT, text: "Open ⓔvil.ⓒom" }, ["text"]],
  ["a host with a dot leader", { ...MESSAGE_TEXT, text: "Open evil\u2024example now" }, ["text"]],
  ["a host of fullwidth characters", { ...MESSAGE_TEXT, subject: "Open ｅvil．example" }, ["subject"]],
  ["an enclosed letter next to a placeholder", { ...MESSAGE_TEXT, text: "Open ⓔ{{host}}" }, ["text"]],
  ["an address with another @", { ...MESSAGE_TEXT, text: "Write to us＠evil" }, ["text"]],
  ["the scheme of an address", { ...MESSAGE_TEXT, text: "Write to mailto:evil" }, ["text"]],
  ["the scheme of a number", { ...MESSAGE_TEXT, buttonText: "Call TEL:1234" }, ["buttonText"]],
  ["a phone number in other digits", { ...MESSAGE_TEXT, text: "Call ٠٧٩‑١٢٣" }, ["text"]],
  ["an address", { ...MESSAGE_TEXT, text: "Write to us@evil" }, ["text"]],
  ["a phone number", { ...MESSAGE_TEXT, text: "Call 079 123 45 67" }, ["text"]],
  ["a host made with a placeholder", { ...MESSAGE_TEXT, text: "Open my{{host}}" }, ["text"]],
  ["a host made with a placeholder at the end", { ...MESSAGE_TEXT, text: "Open my{{host}}." }, ["text"]],
  ["a host below a placeholder", { ...MESSAGE_TEXT, text: "Open {{host}}.evil" }, ["text"]],
  ["a host behind a dot", { ...MESSAGE_TEXT, text: "Open evil.{{host}}" }, ["text"]],
  ["two placeholders in a row", { ...MESSAGE_TEXT, text: "Open {{host}}{{host}}" }, ["text"]],
  ["a path", { ...MESSAGE_TEXT, text: "Open {{host}}/evil" }, ["text"]],
  ["a line break", { ...MESSAGE_TEXT, text: "Hello\nyou" }, ["text"]],
  ["a line break in the subject", { ...MESSAGE_TEXT, subject: "Hello\r\nBcc: us" }, ["subject"]],
  ["a reversed text", { ...MESSAGE_TEXT, text: "Hello \u202e" + "you" }, ["text"]],
  ["a stand-in", { ...MESSAGE_TEXT, text: "Hello \ue000" }, ["text"]],
  ["an SMS with a subject", { ...SMS, subject: "Code" }, ["subject"]],
  ["a button without a link", { ...MESSAGE_TEXT, type: "MESSAGE_TEXT_TYPE_EMAIL_CHANGED" }, ["buttonText"]],
  ["an SMS without its code", { ...SMS, text: "Willkommen bei {{host}}" }, ["text"]],
  ["a long SMS", { ...SMS, text: `{{code}} ${"a".repeat(100)}` }, ["text"]],
])("rejects %s", async (_, request, fields) => {
  for (const rpc of ["SetCustomMessageText", "GetPreviewCustomMessageText"] as const) {
    await expectError(service.db, "grpc", () => call(rpc, request), "INVALID_ARGUMENT", fields);
  }
});

test("accepts punctuation that makes no link", async () => {
  const text = "Note: your code… for {{host}}: use it (by 12:30). Or not… “Why?” Half: ½";
  await send("GetPreviewCustomMessageText", { ...MESSAGE_TEXT, text });
});

function lastFile(folder: "mail" | "sms"): string {
  const path = join(service.config.dataDir, folder);
  return readFileSync(join(path, readdirSync(path).sort().at(-1) ?? ""), "utf8");
}

test("messages have the texts of the organization in the user's language", async () => {
  await callRpc(service, "SetCustomMessageText", {
    type: "MESSAGE_TEXT_TYPE_INITIALIZATION",
    language: "de",
    subject: "Willkommen",
    text: "Ihr Konto bei {{host}} wartet auf <Sie>.",
    buttonText: "Los",
  });
  await callRpc(service, "SetCustomMessageText", SMS);
  const profile = { firstName: "Ada", lastName: "Lovelace", preferredLanguage: "de" };
  await importAda(service, { profile, phone: { phone: "+41791234567" } });
  await service.delivery.deliverDue();
  const { host } = new URL(service.config.publicUrl);
  const mail = await PostalMime.parse(lastFile("mail"));
  expect(mail).toMatchObject({
    subject: "Willkommen",
    text: expect.stringContaining(`Ihr Konto bei ${host} wartet auf <Sie>.`),
  });
  expect(mail.html).toContain("wartet auf &lt;Sie&gt;.");
  expect(mail.html).toContain(">Los</a>");
  expect(lastFile("sms")).toMatch(/Ihr Code lautet \d{6}\n/);
});

test("notices have the texts of the organization, and still say when and what to do", async () => {
  await callRpc(service, "SetCustomMessageText", {
    ...{ type: "MESSAGE_TEXT_TYPE_PASSWORD_CHANGED", language: "de", subject: "Neues Kennwort" },
    ...{ text: "Ihr Kennwort bei {{host}} ist neu.", buttonText: "Ansehen" },
  });
  const profile = { firstName: "Grace", lastName: "Hopper", preferredLanguage: "de" };
  const email = { email: "grace@example.com", isEmailVerified: true };
  // The branding of the organization is cached.
  service.clockOffsetMs += 10_000;
  const userId = await importAda(service, { userName: "grace", profile, email });
  await callRpc(service, "SetHumanPassword", { userId, password: "analytical engine no. 2" });
  await service.delivery.deliverDue();
  const mail = await PostalMime.parse(lastFile("mail"));
  expect(mail).toMatchObject({ subject: "Neues Kennwort", text: expect.stringContaining("ist neu.") });
  const { byOther, advice } = TEXTS.de.messages.notices;
  for (const kept of [byOther, "Zeitpunkt: ", advice]) expect(toOneLine(mail.text)).toContain(kept);
  expect(mail.html).toContain(">Ansehen</a>");
});
