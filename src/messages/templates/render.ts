import { chooseLanguage, DEFAULT_LANGUAGE, type Language } from "../languages.ts";
import { VALID_SECONDS } from "../outbox.ts";
import { type Email, layOutHtml } from "./email-html.ts";
import { layOutText } from "./email-text.ts";
import { toGreetingName } from "./greeting-name.ts";
import { TEXTS } from "./texts.ts";

/**
 * The email by which a user verifies the address and sets a password.
 *
 * @param options `language` is the user's preferred one, a BCP 47 tag; English where it is none of ours.
 * @returns The body as text, with LF between its lines, and as HTML. The subject is one line and holds nothing of the user.
 */
export function renderEmail(options: {
  readonly displayName: string;
  readonly language: string | null;
  readonly link: string;
  readonly recipient: string;
}): { subject: string; text: string; html: string; language: Language } {
  const { displayName, link, recipient } = options;
  const language = chooseLanguage(options.language) ?? DEFAULT_LANGUAGE;
  const texts = TEXTS[language].email;
  const name = toGreetingName(displayName);
  const email: Email = {
    language,
    subject: texts.subject,
    greeting: name === undefined ? texts.greeting : texts.greetingByName(name),
    occasion: texts.occasion(new URL(link).host),
    request: texts.request,
    button: texts.button,
    openLink: texts.openLink,
    copyLink: texts.copyLink,
    link,
    validity: texts.validity(VALID_SECONDS.initialization / 3_600),
    unexpected: texts.unexpected,
    sentTo: texts.sentTo(recipient),
  };
  return { subject: email.subject, text: layOutText(email), html: layOutHtml(email), language };
}

/**
 * The SMS that verifies a phone number. Its last line lets phones fill the code in by themselves, on pages of the host
 * alone (https://wicg.github.io/sms-one-time-codes/).
 *
 * @param options `host` is that of the link, and its port is left out: the format has none.
 */
export function renderSms(options: {
  readonly language: string | null;
  readonly digits: string;
  readonly link: string;
  readonly host: string;
}): string {
  const { digits, link, host } = options;
  const { sms } = TEXTS[chooseLanguage(options.language) ?? DEFAULT_LANGUAGE];
  return `${sms(digits)}\n${link}\n\n@${host.replace(/:\d+$/, "")} #${digits}`;
}
