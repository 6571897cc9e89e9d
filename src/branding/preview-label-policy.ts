import type { Call, QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { createSealedValues } from "../crypto/sealed-values.ts";
import type { Owner } from "../owner.ts";
import { type FoundLabel, findLabel, type GetLabelPolicyParts, type LabelOwner } from "./get-label-policy.ts";

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

/**
 * Returns the label policy that a link shows, as last edited; undefined if the link is not valid, or has expired.
 *
 * @throws SignetError for a failure of the database.
 */
export async function openPreview(
  parts: Omit<PreviewLabelPolicyParts, "publicUrl">,
  link: string,
  caller: QueryCaller,
): Promise<FoundLabel | undefined> {
  const owner = PREVIEWS.open(parts, PREVIEW_PATH, link);
  return owner && (await findLabel(parts.db, "draft", owner, caller));
}
