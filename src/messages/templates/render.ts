import { type CodeKind, VALID_SECONDS } from "../../codes/kinds.ts";
import { chooseLanguage, DEFAULT_LANGUAGE, type Language } from "../languages.ts";
import type { Email } from "./email.ts";
import { layOutHtml } from "./email-html.ts";
import { layOutText } from "./email-text.ts";
import { toGreetingName } from "./greeting-name.ts";
import { toShownAddress } from "./shown-address.ts";
import { TEXTS } from "./texts.ts";

/**
 * Renders the email that lets a user verify the address and set a password, only set a password, or verify a new address
 * (docs/messages.md).
 *
 * @param options `kind` is that of the code: `email` for a new address. `language` is the preferred language of the user, a BCP 47 tag; the fallback is English. `isVerified`:
 *   whether the address is verified already.
 * @returns The body as text, with LF line breaks, and as an HTML document. The subject contains nothing about the user.
 */
export function renderEmail(options: {
  readonly kind: CodeKind;
  readonly displayName: string;
  readonly language: string | null;
  readonly link: string;
  readonly recipient: string;
  readonly isVerified: boolean;
}): { subject: string; text: string; html: string; language: Language } {
  const { kind, displayName, link, recipient, isVerified } = options;
  const language = chooseLanguage(options.language) ?? DEFAULT_LANGUAGE;
  const { greeting, greetingByName, occasion, changed, validity, sentTo, confirm, setPassword, confirmNew, ...texts } =
    TEXTS[language].email;
  const name = toGreetingName(displayName);
  const address = toShownAddress(recipient);
  const email: Email = {
    ...texts,
    ...(kind === "email" ? confirmNew : isVerified ? setPassword : confirm),
    language,
    link,
    greeting: name === undefined ? greeting : greetingByName(name),
    occasion: (kind === "email" ? changed : occasion)(new URL(link).host),
    validity: validity(VALID_SECONDS[kind] / 3_600),
    sentTo: address === undefined ? "" : sentTo(address),
  };
  return { subject: email.subject, text: layOutText(email), html: layOutHtml(email), language };
}

/**
 * Renders the SMS that verifies a phone number (docs/messages.md). Its last line lets phones autofill the code, but
 * only on pages of that host (https://wicg.github.io/sms-one-time-codes/).
 *
 * @param options `host` is the host of the link. Its port is dropped, because the format does not allow one.
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
