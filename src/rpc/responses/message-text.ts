import { MessageTextType } from "../../../gen/signet/v1/message_text_pb.js";
import type { FoundMessageText } from "../../branding/list-message-texts.ts";
import { type MessageKind, rulesOf } from "../../branding/message-texts.ts";

const TYPES: Readonly<Record<MessageKind, MessageTextType>> = {
  initialization: MessageTextType.INITIALIZATION,
  "email-verification": MessageTextType.EMAIL_VERIFICATION,
  "password-reset": MessageTextType.PASSWORD_RESET,
  "phone-verification": MessageTextType.PHONE_VERIFICATION,
  "password-reset-sms": MessageTextType.PASSWORD_RESET_SMS,
};

/** The response with the texts of all messages in a language. */
export function toMessageTexts(found: readonly FoundMessageText[]) {
  return {
    result: found.map(({ kind, language, texts: { subject, text, button }, isDefault }) => {
      const placeholders = rulesOf(kind).placeholders.map((name) => `{{${name}}}`);
      return { type: TYPES[kind], language, subject, text, buttonText: button, isDefault, placeholders };
    }),
  };
}
