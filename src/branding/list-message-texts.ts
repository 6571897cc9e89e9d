import { sql } from "kysely";
import type { Call } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Owner } from "../owner.ts";
import type { Language } from "../texts/languages.ts";
import type { MessageTextId } from "./check-message-text.ts";
import {
  type CustomTexts,
  MESSAGES,
  type MessageKind,
  type MessageTexts,
  originalTexts,
  toTextKey,
} from "./message-texts.ts";

/** The texts of a message in a language, with their placeholders. */
export interface FoundMessageText extends MessageTextId {
  readonly texts: MessageTexts;
  /** Whether they are not the owner's own. */
  readonly isDefault: boolean;
}

/**
 * Returns the texts of all messages in a language: those of the owner, or else of the instance, or else the built-in
 * ones.
 *
 * @throws SignetError for a failure of the database.
 */
export async function listMessageTexts(
  { db }: { readonly db: Database },
  { language }: { readonly language: Language },
  owner: Owner,
  call: Call,
): Promise<readonly FoundMessageText[]> {
  const rows = await selectTexts(db, { ownerId: owner.id, instanceId: call.instanceId }, call);
  const own = rows.find(({ owner_id }) => owner_id === owner.id)?.texts ?? {};
  const ofInstance = rows.find(({ owner_id }) => owner_id === call.instanceId)?.texts ?? {};
  return (Object.keys(MESSAGES) as MessageKind[]).map((kind) => {
    const key = toTextKey(kind, language);
    const texts = own[key] ?? ofInstance[key] ?? originalTexts(kind, language);
    return { kind, language, texts, isDefault: own[key] === undefined };
  });
}

const selectTexts = prepareStatement<{ ownerId: string; instanceId: string }, { owner_id: string; texts: CustomTexts }>(
  (db, param) =>
    db
      .selectFrom("brandings")
      .select(["owner_id", sql<CustomTexts>`texts`.as("texts")])
      .where("owner_id", "in", [sql<string>`${param("ownerId", "uuid")}`, sql<string>`${param("instanceId", "uuid")}`]),
);
