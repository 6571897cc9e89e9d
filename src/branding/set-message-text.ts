import { type RawBuilder, sql } from "kysely";
import { SignetError } from "../errors.ts";
import type { Changed } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import { type BrandingCall, type ChangeBrandingParts, changeBranding } from "./change-branding.ts";
import type { MessageTextId, NewMessageText } from "./check-message-text.ts";
import { toTextKey } from "./message-texts.ts";
import { prepareBrandingChange } from "./prepare-branding-change.ts";

/**
 * Replaces the texts of a message in a language (docs/branding.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function setMessageText(
  parts: ChangeBrandingParts,
  { kind, language, texts }: NewMessageText,
  owner: Owner,
  call: BrandingCall,
): Promise<Changed> {
  const event = { type: `${owner.kind}.message.text.changed`, payload: { message: kind, language, ...texts } } as const;
  const values = { texts: JSON.stringify({ [toTextKey(kind, language)]: texts }) };
  return await changeBranding(parts, SET, { owner, event, values, refuse: notFound }, call);
}

/** Removes the texts of a message in a language. @throws SignetError TEXT_NOT_FOUND. */
export async function resetMessageText(
  parts: ChangeBrandingParts,
  { kind, language }: MessageTextId,
  owner: Owner,
  call: BrandingCall,
): Promise<Changed> {
  const event = { type: `${owner.kind}.message.text.removed`, payload: { message: kind, language } } as const;
  const values = { key: toTextKey(kind, language) };
  return await changeBranding(parts, RESET, { owner, event, values, refuse: notFound }, call);
}

function notFound(): SignetError {
  return new SignetError("TEXT_NOT_FOUND", "the texts of this message in this language are not replaced");
}

const SET = prepareBrandingChange<{ texts: string }>({
  create: (given) => ({ texts: sql`${given("texts", "jsonb")}` }),
  set: (given, row) => ({ texts: sql`${sql.ref(`${row}.texts`)} || ${given("texts", "jsonb")}` }),
});

const RESET = prepareBrandingChange<{ key: string }>({
  set: (given, row) => ({ texts: sql`${sql.ref(`${row}.texts`)} - ${given("key", "text")}` }),
  isAllowed: (given, row): RawBuilder<boolean> =>
    sql<boolean>`(${sql.ref(`${row}.texts`)} -> ${given("key", "text")}) is not null`,
});
