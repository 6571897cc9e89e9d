import { type Language, TEXTS } from "../texts/languages.ts";
import type { Notice } from "../texts/shapes/notice-texts.ts";

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
  /** The built-in texts, with their placeholders. */
  readonly original: (language: Language) => MessageTexts;
}

const HOST = "{{host}}";

export const MESSAGES = {
  initialization: {
    channel: "email",
    placeholders: ["host"],
    original(language) {
      const { occasion, confirm } = TEXTS[language].messages.email;
      return { ...confirm, text: `${occasion(HOST)} ${confirm.request}` };
    },
  },
  "email-verification": {
    channel: "email",
    placeholders: ["host"],
    original(language) {
      const { changed, confirmNew } = TEXTS[language].messages.email;
      return { ...confirmNew, text: `${changed(HOST)} ${confirmNew.request}` };
    },
  },
  "password-reset": {
    channel: "email",
    placeholders: ["host"],
    original(language) {
      const { subject, occasion, request, button } = TEXTS[language].messages.passwordReset;
      return { subject, button, text: `${occasion(HOST)} ${request}` };
    },
  },
  "phone-verification": {
    channel: "sms",
    placeholders: ["code", "host"],
    required: "code",
    original: (language) => ({ subject: "", button: "", text: TEXTS[language].messages.sms("{{code}}") }),
  },
  "password-reset-sms": {
    channel: "sms",
    placeholders: ["host"],
    original: (language) => ({ subject: "", button: "", text: TEXTS[language].messages.resetSms }),
  },
  registration: registration("registration"),
  "registration-taken": registration("registration-taken"),
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
  "sign-in-code": {
    channel: "email",
    placeholders: ["host"],
    hasButton: false,
    original(language) {
      const { subject, occasion } = TEXTS[language].messages.signInCode;
      return { subject, button: "", text: occasion(HOST) };
    },
  },
} as const satisfies Record<string, MessageRules>;

function registration(kind: keyof (typeof TEXTS)["en"]["messages"]["registration"]): MessageRules {
  return {
    channel: "email",
    placeholders: ["host"],
    original(language) {
      const { subject, occasion, request, button } = TEXTS[language].messages.registration[kind];
      return { subject, button, text: `${occasion(HOST)} ${request}` };
    },
  };
}

/** The rest of a notice, such as the time and what to do if the change is not the user's, cannot be replaced. */
function notice(kind: Notice, hasButton = true): MessageRules {
  return {
    channel: "email",
    placeholders: ["host"],
    hasButton,
    original(language) {
      const { kinds, button } = TEXTS[language].messages.notices;
      const { subject, occasion } = kinds[kind];
      return { subject, button: hasButton ? button : "", text: occasion(HOST) };
    },
  };
}

export function rulesOf(kind: MessageKind): MessageRules {
  return MESSAGES[kind];
}

/** The built-in texts of a message, with their placeholders. */
export function originalTexts(kind: MessageKind, language: Language): MessageTexts {
  const { subject, text, button } = rulesOf(kind).original(language);
  return { subject, text, button };
}

/** Identifies a message in a language among the stored texts. */
export function toTextKey(kind: MessageKind, language: Language): string {
  return `${language}/${kind}`;
}
