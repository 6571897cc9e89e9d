import { type Language, TEXTS } from "../texts/languages.ts";

/** The messages whose texts an owner can replace. */
export type MessageKind = keyof typeof MESSAGES;

/** The texts of a message. Those of an SMS have neither a subject nor a button. */
export interface MessageTexts {
  readonly subject: string;
  readonly text: string;
  readonly button: string;
}

/** Replaced texts, by `toTextKey`. */
export type CustomTexts = Readonly<Record<string, MessageTexts>>;

/** What differs between the messages. */
interface MessageRules {
  readonly channel: "email" | "sms";
  readonly placeholders: readonly string[];
  /** A placeholder without which the message has no purpose. */
  readonly required?: string;
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
} as const satisfies Record<string, MessageRules>;

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
