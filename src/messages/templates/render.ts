import { BUILT_IN_LABEL, type Label } from "../../branding/label-settings.ts";
import {
  type BuiltInTexts,
  builtInTexts,
  type CustomTexts,
  type MessageKind,
  toTextKey,
} from "../../branding/message-texts.ts";
import { type CodeKind, VALID_SECONDS } from "../../codes/kinds.ts";
import { chooseLanguage, DEFAULT_LANGUAGE, type Language, TEXTS } from "../../texts/languages.ts";
import { fillIn } from "../../texts/placeholders.ts";
import type { Email } from "./email.ts";
import { toEmailBrand } from "./email-brand.ts";
import { layOutHtml } from "./email-html.ts";
import { layOutText } from "./email-text.ts";
import { toGreetingName, toShownAddress, toShownUserName } from "./shown-names.ts";

/**
 * Renders an email with a link (docs/messages.md). It lets a user verify the address and set a password, only set a
 * password, verify a new address, or set a new password.
 *
 * @param options The fallback for the language is English. `kind`: the kind of the code. `isVerified`: whether the
 *   address is already verified.
 * @returns The subject contains nothing about the user, but who has invited them.
 */
export function renderEmail(
  options: EmailReader & { readonly kind: CodeKind; readonly link: string; readonly isVerified: boolean },
): RenderedEmail {
  const { kind, link, isVerified } = options;
  const { email, passwordReset } = TEXTS[toLanguage(options)].messages;
  const messageKind = toMessageKind(kind);
  const org = options.orgName && toGreetingName(options.orgName);
  const { host } = new URL(link);
  const inviter = options.inviterName && toGreetingName(options.inviterName);
  const values = { host, org: org || host, inviter: inviter || "" };
  const first = {
    ...(org && { occasion: email.occasionIn }),
    ...(isVerified && email.setPassword),
    ...(inviter && { ...email.invitation, subject: fillIn(email.invitation.subject, values) }),
  };
  const texts = textsOf(options, messageKind, values, messageKind === "initialization" ? first : {});
  const validity =
    kind === "password" ? passwordReset.validity : fillIn(email.validity, { hours: VALID_SECONDS[kind] / 3_600 });
  const userName = options.userName && toShownUserName(options.userName, options.recipient);
  return layOut(options, {
    ...texts,
    ...(userName && { userName: fillIn(email.userName, { userName }) }),
    action: { ...email, button: texts.button, link, validity },
    unexpected: email.unexpected,
  });
}

/** The user that an email is for. */
export interface EmailReader {
  readonly displayName: string;
  /** The name with which the user signs in. */
  readonly userName?: string;
  /** The preferred language, a BCP 47 tag. */
  readonly language: string | null;
  readonly recipient: string;
  /** The branding of the user's organization; by default, the built-in one. */
  readonly label?: Label;
  /** Whether the email carries the logo of the branding. */
  readonly hasLogo?: boolean;
  /** The name of the user's organization, for the initialization email; empty if it has none. */
  readonly orgName?: string | undefined;
  /** The name of the person who has created the user or invited again; undefined for a program. */
  readonly inviterName?: string | undefined;
  /** The texts that the organization or the instance has replaced. */
  readonly customTexts?: CustomTexts;
}

interface TextReader extends Pick<EmailReader, "language" | "customTexts"> {}

/**
 * The texts of a message in the language of the user: those that an owner has set, or else the built-in ones.
 *
 * @param changed What differs from the built-in texts.
 */
export function textsOf(
  reader: TextReader,
  kind: MessageKind,
  values: Readonly<Record<"host", string> & Record<string, string>>,
  changed: Partial<BuiltInTexts> = {},
): BuiltInTexts & { readonly occasion: string } {
  const language = toLanguage(reader);
  const custom = reader.customTexts?.[toTextKey(kind, language)];
  const built = { ...builtInTexts(kind, language), ...changed };
  const texts = custom ? { ...custom, occasion: custom.text, request: "" } : built;
  const { subject, occasion, request, button } = texts;
  return { subject, occasion: fillIn(occasion, values), request, button };
}

function toMessageKind(kind: CodeKind): MessageKind {
  if (kind === "password") return "password-reset";
  return kind === "email" || kind === "email-change" ? "email-verification" : "initialization";
}

/** The body as text, with LF line breaks, and as an HTML document. */
export interface RenderedEmail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: Language;
}

export function toLanguage({ language }: { readonly language: string | null }): Language {
  return chooseLanguage(language) ?? DEFAULT_LANGUAGE;
}

/** Adds the greeting and the address to the texts of an email, and lays it out. */
export function layOut(
  reader: EmailReader,
  texts: Omit<Email, "language" | "brand" | "greeting" | "sentTo">,
): RenderedEmail {
  const language = toLanguage(reader);
  const { greeting, greetingByName, sentTo } = TEXTS[language].messages.email;
  const name = toGreetingName(reader.displayName);
  const address = toShownAddress(reader.recipient);
  const email: Email = {
    ...texts,
    language,
    brand: toEmailBrand(reader.label ?? BUILT_IN_LABEL, language, reader.hasLogo ?? false),
    greeting: name === undefined ? greeting : fillIn(greetingByName, { name }),
    sentTo: address === undefined ? "" : fillIn(sentTo, { address }),
  };
  return { subject: email.subject, text: layOutText(email), html: layOutHtml(email), language };
}

/**
 * Renders the SMS that verifies a phone number (docs/messages.md). Its last line lets phones autofill the code, but
 * only on pages of that host (https://wicg.github.io/sms-one-time-codes/).
 *
 * @param options `host` is the host of the link. Its port is dropped, because the format does not allow one.
 */
export function renderSms(
  options: TextReader & {
    readonly digits: string;
    readonly link: string;
    readonly host: string;
  },
): string {
  const { digits, link, host } = options;
  const { occasion } = textsOf(options, "phone-verification", { code: digits, host });
  return `${occasion}\n${link}\n\n@${host.replace(/:\d+$/, "")} #${digits}`;
}

/** Renders the SMS with a link to set a new password. */
export function renderResetSms(options: TextReader & { readonly link: string; readonly host: string }): string {
  const { link, host } = options;
  return `${textsOf(options, "password-reset-sms", { host }).occasion}\n${link}`;
}
