import { type Language, TEXTS } from "./languages.ts";
import { placeholdersIn, toPlaceholder } from "./placeholders.ts";
import type { PageTexts } from "./shapes/texts.ts";

/** The keys of the texts that take values: the path in `PageTexts`, with dots. */
type KeyWithValues<Part = PageTexts, Path extends string = ""> = {
  [Name in keyof Part & string]: Part[Name] extends string
    ? never
    : Part[Name] extends (...values: never[]) => string
      ? `${Path}${Name}`
      : KeyWithValues<Part[Name], `${Path}${Name}.`>;
}[keyof Part & string];

/** The names of the values that texts take, in the order of the arguments. */
const VALUES: Readonly<Record<KeyWithValues, readonly string[]>> = {
  "account.nextEmail": ["address"],
  "account.passkeys.since": ["date"],
  "account.passkeys.created": ["date"],
  "account.passkeys.used": ["date"],
  "account.oneTimeCodes.active": ["left"],
  "account.sessions.browserOn": ["browser", "system"],
  "account.sessions.signedIn": ["time"],
  "account.sessions.seen": ["time"],
  "account.sessions.more": ["count"],
  "account.apps.since": ["date"],
  "accountForms.email.tooOften": ["delay"],
  "accountForms.phone.tooOften": ["delay"],
  "accountForms.recoveryCodes.fileTitle": ["userName", "host"],
  "accountForms.link.taken": ["name"],
  "accountForms.withdraw.title": ["name"],
  "frame.errorTitle": ["title"],
  "frame.problems.tryAgain": ["delay"],
  "frame.password.rule": ["characters"],
  "frame.password.errors.too-long": ["bytes"],
  "links.init.sendOffer": ["recipient"],
  "links.init.sent.text": ["recipient"],
  "links.init.sent.again": ["delay"],
  "links.init.tooOften.text": ["delay"],
  "links.newEmail.changed": ["address"],
  "links.phone.endingIn": ["digits"],
  "links.phone.errors.wrong": ["left"],
  "links.phone.tooMany.text": ["delay"],
  "links.phone.sendOffer": ["recipient"],
  "links.phone.sent.text": ["recipient"],
  "links.phone.sent.again": ["delay"],
  "links.phone.tooOften.text": ["delay"],
  "links.next.title": ["host"],
  "links.next.text": ["host"],
  "oidc.logout.ask.textFor": ["app"],
  "signIn.titleFor": ["app"],
  "signIn.errors.tooOften": ["delay"],
  "signIn.errors.otherUser": ["userName"],
  "signIn.ended.startAgain": ["app"],
  "signIn.address.sent": ["email"],
  "signIn.address.cannotSend": ["email"],
  "signIn.registration.sent.text": ["email"],
  "signIn.registration.finish.text": ["email"],
  "signIn.registration.ready.text": ["email"],
  "signIn.registration.ready.next": ["app"],
  "signIn.registration.taken.text": ["email"],
  "signIn.secondFactor.until": ["day"],
  "signIn.idp.button": ["name"],
  "signIn.idp.errors.denied": ["name"],
  "signIn.idp.errors.notFresh": ["name"],
  "signIn.idp.continue.text": ["name"],
  "signIn.idp.failed.title": ["name"],
  "signIn.idp.failed.unreachable": ["name"],
  "signIn.idp.failed.refused": ["name"],
  "signIn.idp.failed.invalid": ["name"],
  "signIn.idp.failed.tooLarge": ["name"],
  "signIn.idp.unknown.text": ["name", "org"],
  "signIn.idp.unsolicited.title": ["name"],
  "signIn.idp.unsolicited.text": ["name"],
  "signIn.idp.linked.text": ["name", "email"],
  "signIn.idp.register.text": ["name"],
  "signIn.idp.linkNotice": ["name"],
  "signIn.idp.confirm.title": ["name"],
  "signIn.idp.confirm.text": ["name"],
};

/** The texts of pages in each language, with their placeholders, by key: the path in `PageTexts`, with dots. */
const ORIGINALS = new Map(
  Object.entries(TEXTS).map(([tag, { messages: _, ...texts }]) => [tag, new Map(listTexts(texts, ""))]),
);

/** The keys of all texts of pages, such as `signIn.submit`. */
export const PAGE_TEXT_KEYS: readonly string[] = [...(ORIGINALS.get("en")?.keys() ?? [])];

/** The built-in text of a key, with its placeholders; undefined for an unknown key. */
export function originalText(tag: Language, key: string): string | undefined {
  return ORIGINALS.get(tag)?.get(key);
}

/** The names of the placeholders of a text, in the order of the values. */
export function namesOf(key: string): readonly string[] {
  return Object.hasOwn(VALUES, key) ? VALUES[key as KeyWithValues] : [];
}

/** Whether a text can replace the one of a key: it has each of its placeholders, and no other. */
export function hasItsPlaceholders(key: string, text: string): boolean {
  const names = namesOf(key);
  const used = new Set(placeholdersIn(text));
  return originalText("en", key) !== undefined && used.size === names.length && names.every((name) => used.has(name));
}

function listTexts(part: unknown, key: string): [key: string, text: string][] {
  if (typeof part === "string") return [[key, part]];
  if (typeof part === "function") return [[key, String(part(...namesOf(key).map(toPlaceholder)))]];
  return Object.entries(part as object).flatMap(([name, inner]) =>
    listTexts(inner, key === "" ? name : `${key}.${name}`),
  );
}
