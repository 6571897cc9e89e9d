import type { Texts } from "../texts/en/en.ts";
import type { Notice } from "../texts/en/notices.ts";
import { type Language, TEXTS } from "../texts/languages.ts";
import type { TextWith } from "../texts/placeholders.ts";

/** The messages whose texts an owner can replace. */
export type MessageKind = keyof typeof MESSAGES;

/** The texts of a message. Those of an SMS have neither a subject nor a button; see also `hasButton`. */
export interface MessageTexts {
  readonly subject: string;
  readonly text: string;
  readonly button: string;
}

/** Replaced texts, by `toTextKey`. */
export type CustomTexts = Readonly<Record<string, MessageTexts>>;

/** What differs between the messages. */
export interface MessageRules {
  readonly channel: "email" | "sms";
  readonly placeholders: readonly string[];
  /** A placeholder without which the message has no purpose. */
  readonly required?: string;
  /** False for an email without a link. */
  readonly hasButton?: boolean;
  readonly builtIn: (texts: Texts["messages"]) => BuiltInTexts;
}

/** The built-in texts of a message. */
export interface BuiltInTexts {
  readonly subject: string;
  /** What happened, and where. The text of an SMS. */
  readonly occasion: TextWith<string>;
  /** What to do. Empty in an SMS, and in an email that only reports. */
  readonly request: string;
  readonly button: string;
}

export const MESSAGES = {
  initialization: email(({ email: { occasion, confirm } }) => ({ ...confirm, occasion })),
  "email-verification": email(({ email: { changed, confirmNew } }) => ({ ...confirmNew, occasion: changed })),
  "password-reset": email(({ passwordReset }) => passwordReset),
  "phone-verification": { ...sms(({ sms }) => sms), placeholders: ["code", "host"], required: "code" },
  "password-reset-sms": sms(({ resetSms }) => resetSms),
  registration: email(({ registration }) => registration.registration),
  "registration-taken": email(({ registration }) => registration["registration-taken"]),
  "password-changed": notice("password-changed"),
  "email-changed": notice("email-changed", false),
  "phone-changed": notice("phone-changed"),
  "phone-removed": notice("phone-removed"),
  "one-time-codes-added": notice("one-time-codes-added"),
  "one-time-codes-removed": notice("one-time-codes-removed"),
  "recovery-codes-replaced": notice("recovery-codes-replaced"),
  "recovery-code-used": notice("recovery-code-used"),
  "passkey-added": notice("passkey-added"),
  "passkey-removed": notice("passkey-removed"),
  "provider-linked": notice("provider-linked"),
  "provider-unlinked": notice("provider-unlinked"),
  "new-device": notice("new-device"),
  "sign-in-code": email(({ signInCode }) => ({ ...signInCode, request: "", button: "" }), false),
} as const satisfies Record<string, MessageRules>;

function email(builtIn: MessageRules["builtIn"], hasButton = true): MessageRules {
  return { channel: "email", placeholders: ["host"], hasButton, builtIn };
}

function sms(textOf: (texts: Texts["messages"]) => TextWith<string>): MessageRules {
  const builtIn = (texts: Texts["messages"]) => ({ subject: "", occasion: textOf(texts), request: "", button: "" });
  return { channel: "sms", placeholders: ["host"], builtIn };
}

/** The rest of a notice, such as the time and what to do if the change is not the user's, cannot be replaced. */
function notice(kind: Notice, hasButton = true): MessageRules {
  const builtIn = ({ notices: { kinds, button } }: Texts["messages"]) => ({
    ...kinds[kind],
    request: "",
    button: hasButton ? button : "",
  });
  return email(builtIn, hasButton);
}

export function rulesOf(kind: MessageKind): MessageRules {
  return MESSAGES[kind];
}

export function builtInTexts(kind: MessageKind, language: Language): BuiltInTexts {
  return rulesOf(kind).builtIn(TEXTS[language].messages);
}

/** The built-in texts of a message, with their placeholders, as an owner would replace them. */
export function originalTexts(kind: MessageKind, language: Language): MessageTexts {
  const { subject, occasion, request, button } = builtInTexts(kind, language);
  return { subject, text: `${occasion} ${request}`.trim(), button };
}

/** Identifies a message in a language among the stored texts. */
export function toTextKey(kind: MessageKind, language: Language): string {
  return `${language}/${kind}`;
}
