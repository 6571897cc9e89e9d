import { sql } from "kysely";
import type { Call } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Owner } from "../owner.ts";
import type { Language } from "../texts/languages.ts";
import { hasItsPlaceholders, namesOf, originalText } from "../texts/page-language.ts";
import { toPlaceholder } from "../texts/placeholders.ts";
import { keysOf, type PageTextsByLanguage } from "./page-texts.ts";

/** A text of pages in a language, with its placeholders. */
export interface FoundPageText {
  readonly key: string;
  /** As last edited. */
  readonly text: string;
  /** Whether it is not the owner's own. */
  readonly isDefault: boolean;
  /** Whether pages use another text until the branding is activated. */
  readonly isDraft: boolean;
  readonly placeholders: readonly string[];
}

/**
 * Returns the texts of pages in a language that an owner can replace: the owner's own as last edited, or else the active
 * ones of the instance, or else the built-in ones.
 *
 * @throws SignetError for a failure of the database.
 */
export async function listPageTexts(
  { db }: { readonly db: Database },
  { language }: { readonly language: Language },
  owner: Owner,
  call: Call,
): Promise<readonly FoundPageText[]> {
  const rows = await selectPageTexts(db, { ownerId: owner.id, instanceId: call.instanceId }, call);
  const own = rows.find(({ owner_id }) => owner_id === owner.id);
  const ofInstance = rows.find(({ owner_id }) => owner_id === call.instanceId && owner_id !== owner.id);
  return keysOf(owner.kind).map((key) => {
    const usable = (texts: PageTextsByLanguage | undefined): string | undefined => {
      const text = texts?.[language]?.[key];
      return text !== undefined && hasItsPlaceholders(key, text) ? text : undefined;
    };
    const inherited = usable(ofInstance?.active) ?? originalText(language, key) ?? "";
    const text = usable(own?.draft) ?? inherited;
    return {
      key,
      text,
      isDefault: usable(own?.draft) === undefined,
      isDraft: text !== (usable(own?.active) ?? inherited),
      placeholders: namesOf(key).map(toPlaceholder),
    };
  });
}

interface PageTextsRow {
  owner_id: string;
  draft: PageTextsByLanguage;
  active: PageTextsByLanguage;
}

const selectPageTexts = prepareStatement<{ ownerId: string; instanceId: string }, PageTextsRow>((db, param) =>
  db
    .selectFrom("brandings")
    .select([
      "owner_id",
      sql<PageTextsByLanguage>`page_texts`.as("draft"),
      sql<PageTextsByLanguage>`active_page_texts`.as("active"),
    ])
    .where("owner_id", "in", [sql<string>`${param("ownerId", "uuid")}`, sql<string>`${param("instanceId", "uuid")}`]),
);
