import { sql } from "kysely";
import type { Call, QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { createSealedValues } from "../crypto/sealed-values.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Owner } from "../owner.ts";
import type { PageBranding } from "./create-brandings.ts";
import { type FoundLabel, findLabel, type GetLabelPolicyParts, type LabelOwner } from "./get-label-policy.ts";
import { BUILT_IN_LABEL, type Label } from "./label-settings.ts";
import { findRegisteredName, shownOrgName, withOrgName } from "./org-name.ts";
import { createLanguages, type PageTextsByLanguage } from "./page-texts.ts";

export interface PreviewLabelPolicyParts extends GetLabelPolicyParts {
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** The origin of links. */
  readonly publicUrl: string;
}

/** A label policy that may not be active yet. */
export interface PreviewedLabel extends FoundLabel {
  /** The page that shows it. */
  readonly previewUrl: string;
}

/** How long a link to a preview is valid. */
export const PREVIEW_SECONDS = 3_600;

export const PREVIEW_PATH = "/ui/preview";

const PREVIEWS = createSealedValues<LabelOwner>({
  table: "previews",
  column: "link",
  validSeconds: PREVIEW_SECONDS,
});

/**
 * Returns the label policy of an owner as last edited, and a link to a preview (docs/branding.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function previewLabelPolicy(
  parts: PreviewLabelPolicyParts,
  _fields: unknown,
  owner: Owner,
  call: Call,
): Promise<PreviewedLabel> {
  const labelOwner = { ownerId: owner.id, instanceId: call.instanceId };
  const found = await findLabel(parts.db, "draft", labelOwner, call);
  const token = PREVIEWS.seal(parts, PREVIEW_PATH, labelOwner);
  return { ...found, previewUrl: `${parts.publicUrl}${PREVIEW_PATH}?link=${token}` };
}

/** A branding that need not be active. */
interface PreviewedBranding extends PageBranding {
  readonly ownerId: string;
  /** The result of `shownOrgName`; null for the instance. */
  readonly shownName: string | null;
}

/**
 * Returns the branding that a link shows; undefined if the link is not valid, or has expired.
 *
 * @param state Whether it is the branding as last edited, or what users see.
 * @throws SignetError for a failure of the database.
 */
export async function openPreview(
  parts: Omit<PreviewLabelPolicyParts, "publicUrl">,
  link: string,
  state: "draft" | "active",
  caller: QueryCaller,
): Promise<PreviewedBranding | undefined> {
  const owner = PREVIEWS.open(parts, PREVIEW_PATH, link);
  if (owner === undefined) return undefined;
  const rows = await selectPreviewed(parts.db, { ...owner, isDraft: state === "draft" }, caller);
  const found = rows.find((row) => row.label !== null)?.label ?? BUILT_IN_LABEL;
  const label = withOrgName(found, await findRegisteredName(parts.db, owner.ownerId, caller));
  const languageOf = createLanguages(rows.map(({ page_texts: texts }) => texts).reverse());
  const [org] = await selectShownName(parts.db, { orgId: owner.ownerId }, caller);
  return { ownerId: owner.ownerId, shownName: org?.name ?? null, label, languageOf };
}

/** The owner's first; then what it inherits from the instance, which is active. */
const selectPreviewed = prepareStatement<
  { ownerId: string; instanceId: string; isDraft: boolean },
  { label: Label | null; page_texts: PageTextsByLanguage }
>((db, param) => {
  const isOwn = sql<boolean>`owner_id = ${param("ownerId", "uuid")}`;
  const isDraft = sql<boolean>`${isOwn} and ${param("isDraft", "boolean")}`;
  return db
    .selectFrom("brandings")
    .select([
      sql<Label | null>`case when ${isDraft} then draft else active end`.as("label"),
      sql<PageTextsByLanguage>`case when ${isDraft} then page_texts else active_page_texts end`.as("page_texts"),
    ])
    .where("owner_id", "in", [sql<string>`${param("ownerId", "uuid")}`, sql<string>`${param("instanceId", "uuid")}`])
    .orderBy(isOwn, "desc");
});

const selectShownName = prepareStatement<{ orgId: string }, { name: string | null }>((db, param) =>
  db.selectFrom("orgs").select(shownOrgName.as("name")).where("orgs.id", "=", param("orgId", "uuid")),
);
