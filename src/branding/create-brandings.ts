import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Language } from "../texts/languages.ts";
import { builtInLanguage, type PageLanguage } from "../texts/page-language.ts";
import { BUILT_IN_LABEL, type Label } from "./label-settings.ts";
import type { CustomTexts } from "./message-texts.ts";
import { registeredName, withOrgName } from "./org-name.ts";
import { createLanguages, type PageTextsByLanguage } from "./page-texts.ts";

/** The branding that pages and emails use. */
export interface Branding {
  /** Its name is that of the organization if neither the organization nor the instance has set one. */
  readonly label: Label;
  /** What emails call the organization: the name that it has set, or else the registered one; undefined for `default`. */
  readonly orgName: string | undefined;
  /** Those of the organization and the instance. */
  readonly customTexts: CustomTexts;
  /** A language with the texts of pages of the organization and the instance. */
  languageOf(tag: Language): PageLanguage;
}

/** The branding that pages use. */
export type PageBranding = Pick<Branding, "label" | "languageOf">;

/** The branding of an instance without one of its own. */
export const BUILT_IN_BRANDING: PageBranding = { label: BUILT_IN_LABEL, languageOf: builtInLanguage };

/** The brandings of the instance and of organizations. */
export interface Brandings {
  /**
   * Returns the branding of an organization, or the one that it inherits. Queries each organization at most every few
   * seconds.
   *
   * @param orgId Undefined for the branding of the instance.
   * @throws SignetError for a failure of the database.
   */
  find(orgId: string | undefined, caller?: QueryCaller): Promise<Branding>;
}

/** How long a result is cached, which is the maximum delay until pages and emails show a change. */
const REMEMBERED_MS = 5_000;
/** The brandings of 8,000 organizations without replaced texts, or of hundreds with many. */
const MAX_CACHED_BYTES = 16 * 1_024 * 1_024;
/** The size of a branding without texts, at most. */
const BRANDING_BYTES = 2_000;

export function createBrandings({ db, clock }: { readonly db: Database; readonly clock: Clock }): Brandings {
  const known = new LRUCache<string, { readonly branding: Branding; readonly until: number }>({
    maxSize: MAX_CACHED_BYTES,
  });

  return {
    async find(orgId, caller) {
      const now = clock().getTime();
      const key = orgId ?? "";
      const remembered = known.get(key);
      if (remembered !== undefined && now < remembered.until) return remembered.branding;
      const rows = await selectActive(db, { orgId: orgId ?? null }, caller);
      const branding = toBranding(rows);
      const size = BRANDING_BYTES + sizeOfTexts(rows);
      known.set(key, { branding, until: now + REMEMBERED_MS }, { size });
      return branding;
    },
  };
}

/** @param rows The organization's first. */
function toBranding(rows: readonly BrandingRow[]): Branding {
  const registered = rows[0]?.registered_name ?? null;
  const label = withOrgName(rows.find((row) => row.label !== null)?.label ?? BUILT_IN_LABEL, registered);
  const ownName = rows.find((row) => row.is_own)?.label?.name;
  const fromInstance = [...rows].reverse();
  const languageOf = createLanguages(fromInstance.map(({ page_texts: texts }) => texts));
  return {
    label,
    orgName: ownName || registered || undefined,
    customTexts: Object.assign({}, ...fromInstance.map(({ texts }) => texts)),
    languageOf,
  };
}

/** The memory for replaced texts, in bytes: those of pages as stored, and once more in copied parts of the texts. */
function sizeOfTexts(rows: readonly BrandingRow[]): number {
  const ofPages = rows.flatMap((row) => Object.values(row.page_texts).flatMap((byKey) => Object.values(byKey)));
  const ofMessages = rows.flatMap((row) => Object.values(row.texts).flatMap((texts) => Object.values(texts)));
  const lengthOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);
  return 4 * lengthOf(ofPages) + 2 * lengthOf(ofMessages);
}

interface BrandingRow {
  /** The same in each row. */
  registered_name: string | null;
  is_own: boolean;
  label: Label | null;
  texts: CustomTexts;
  page_texts: PageTextsByLanguage;
}

/** The rows of the organization and of the instance. If there are none, one row with the name of the organization. */
const selectActive = prepareStatement<{ orgId: string | null }, BrandingRow>((db, param) => {
  const orgId = param("orgId", "uuid");
  const stored = db
    .selectFrom("brandings")
    .select(["owner_id", "active", "texts", "active_page_texts"])
    .where((where) =>
      where.or([where("owner_id", "=", orgId), where("owner_id", "=", db.selectFrom("instance").select("id"))]),
    )
    .as("stored");
  const isOwn = sql<boolean>`stored.owner_id is not distinct from ${orgId}`;
  return db
    .selectFrom(sql`(select)`.as("once"))
    .leftJoin(stored, (join) => join.onTrue())
    .select([
      registeredName(orgId).as("registered_name"),
      isOwn.as("is_own"),
      sql<Label | null>`stored.active`.as("label"),
      sql<CustomTexts>`coalesce(stored.texts, '{}')`.as("texts"),
      sql<PageTextsByLanguage>`coalesce(stored.active_page_texts, '{}')`.as("page_texts"),
    ])
    .orderBy(isOwn, "desc");
});
