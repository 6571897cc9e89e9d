import { SignetError } from "../errors.ts";
import { inBrandingChange } from "./change-branding.ts";
import type { MessageTextId, NewMessageText } from "./check-message-text.ts";
import { toTextKey } from "./message-texts.ts";

/**
 * Replaces the texts of a message in a language (docs/branding.md).
 *
 * @throws SignetError for a failure of the database.
 */
export const setMessageText = inBrandingChange(({ kind, language, texts: given }: NewMessageText, owner) => ({
  event: { type: `${owner.kind}.message.text.changed`, payload: { message: kind, language, ...given } },
  decide: ({ texts }) => ({ texts: { ...texts, [toTextKey(kind, language)]: given } }),
}));

/** Removes the texts of a message in a language. @throws SignetError TEXT_NOT_FOUND. */
export const resetMessageText = inBrandingChange(({ kind, language }: MessageTextId, owner) => ({
  event: { type: `${owner.kind}.message.text.removed`, payload: { message: kind, language } },
  decide: ({ texts }) => {
    const { [toTextKey(kind, language)]: removed, ...others } = texts;
    if (removed === undefined) throw notFound();
    return { texts: others };
  },
}));

function notFound(): SignetError {
  return new SignetError("TEXT_NOT_FOUND", "the texts of this message in this language are not replaced");
}
