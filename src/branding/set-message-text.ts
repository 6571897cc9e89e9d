import type { Call } from "../call.ts";
import { SignetError } from "../errors.ts";
import type { ChangeParts } from "../events/change-object.ts";
import type { Changed } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import { changeBranding, type StoredBranding } from "./change-branding.ts";
import type { MessageTextId, NewMessageText } from "./check-message-text.ts";
import { toTextKey } from "./message-texts.ts";

/**
 * Replaces the texts of a message in a language (docs/branding.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function setMessageText(
  parts: ChangeParts,
  { kind, language, texts: given }: NewMessageText,
  owner: Owner,
  call: Call,
): Promise<Changed> {
  const event = { type: `${owner.kind}.message.text.changed`, payload: { message: kind, language, ...given } } as const;
  const decide = ({ texts }: StoredBranding) => ({ texts: { ...texts, [toTextKey(kind, language)]: given } });
  return await changeBranding(parts, { owner, event, decide }, call);
}

/** Removes the texts of a message in a language. @throws SignetError TEXT_NOT_FOUND. */
export async function resetMessageText(
  parts: ChangeParts,
  { kind, language }: MessageTextId,
  owner: Owner,
  call: Call,
): Promise<Changed> {
  const event = { type: `${owner.kind}.message.text.removed`, payload: { message: kind, language } } as const;
  const decide = ({ texts }: StoredBranding) => {
    const { [toTextKey(kind, language)]: removed, ...others } = texts;
    if (removed === undefined) throw notFound();
    return { texts: others };
  };
  return await changeBranding(parts, { owner, event, decide }, call);
}

function notFound(): SignetError {
  return new SignetError("TEXT_NOT_FOUND", "the texts of this message in this language are not replaced");
}
