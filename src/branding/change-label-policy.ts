import type { Call } from "../call.ts";
import { SignetError } from "../errors.ts";
import type { ChangeParts } from "../events/change-object.ts";
import type { Changed } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import { changeBranding, type StoredBranding } from "./change-branding.ts";
import type { UploadedImage } from "./check-label-image.ts";
import { BUILT_IN_LABEL, type Label, type LabelImages, type LabelSettings } from "./label-settings.ts";

/**
 * Adds a label policy to an organization that has none.
 *
 * @throws SignetError POLICY_EXISTS, or for a failure of the database, like all functions in this file.
 */
export async function addLabelPolicy(
  parts: ChangeParts,
  settings: LabelSettings,
  owner: Owner,
  call: Call,
): Promise<Changed> {
  const event = { type: "org.label.policy.added", payload: settings } as const;
  const decide = ({ draft }: StoredBranding) => {
    if (draft !== null) throw new SignetError("POLICY_EXISTS", "the organization already has a label policy");
    return { draft: { ...BUILT_IN_LABEL, ...settings } };
  };
  return await changeBranding(parts, { owner, event, decide }, call);
}

/** Replaces the settings. @throws SignetError POLICY_NOT_FOUND for an organization without a policy. */
export async function updateLabelPolicy(
  parts: ChangeParts,
  settings: LabelSettings,
  owner: Owner,
  call: Call,
): Promise<Changed> {
  const event = { type: `${owner.kind}.label.policy.changed`, payload: settings } as const;
  return await changeBranding(parts, { owner, event, decide: replaceIn(owner, settings) }, call);
}

/**
 * Makes pages and emails use the policy and the texts of pages.
 *
 * @throws SignetError POLICY_NOT_FOUND for an owner with neither.
 */
export async function activateLabelPolicy(
  parts: ChangeParts,
  _fields: unknown,
  owner: Owner,
  call: Call,
): Promise<Changed> {
  const event = { type: `${owner.kind}.label.policy.activated`, payload: {} } as const;
  const decide = ({ draft, page_texts: texts, active_page_texts: active }: StoredBranding) => {
    if (draft === null && Object.keys({ ...texts, ...active }).length === 0) throw notFound();
    return { active: draft, active_page_texts: texts };
  };
  return await changeBranding(parts, { owner, event, decide }, call);
}

/** Removes the policy: the owner inherits again. @throws SignetError POLICY_NOT_FOUND. */
export async function resetLabelPolicy(
  parts: ChangeParts,
  _fields: unknown,
  owner: Owner,
  call: Call,
): Promise<Changed> {
  const event = { type: `${owner.kind}.label.policy.removed`, payload: {} } as const;
  const decide = ({ draft }: StoredBranding) => {
    if (draft === null) throw notFound();
    return { draft: null, active: null };
  };
  return await changeBranding(parts, { owner, event, decide }, call);
}

/** Stores an image. @throws SignetError POLICY_NOT_FOUND for an organization without a policy. */
export async function replaceLabelImage(
  parts: ChangeParts,
  image: UploadedImage,
  owner: Owner,
  call: Call,
): Promise<Changed> {
  const { image: name, hash } = image;
  const event = { type: `${owner.kind}.label.policy.image.added`, payload: { image: name, hash } } as const;
  return await changeBranding(parts, { owner, event, decide: replaceIn(owner, { [name]: hash }), image }, call);
}

/** The operation that removes an image. It throws SignetError POLICY_NOT_FOUND. */
export function removeLabelPolicyImage(image: keyof LabelImages) {
  return async (parts: ChangeParts, _fields: unknown, owner: Owner, call: Call): Promise<Changed> => {
    const event = { type: `${owner.kind}.label.policy.image.removed`, payload: { image } } as const;
    const decide = (stored: StoredBranding) => {
      if (stored.draft === null) throw notFound();
      return { draft: { ...stored.draft, [image]: null } };
    };
    return await changeBranding(parts, { owner, event, decide }, call);
  };
}

function notFound(): SignetError {
  return new SignetError("POLICY_NOT_FOUND", "there is no label policy to change: the inherited one is used");
}

/** Replaces fields of the policy. An instance without one gets the built-in one first. */
function replaceIn({ kind }: Owner, fields: Partial<Label>) {
  return ({ draft }: StoredBranding) => {
    if (draft === null && kind === "org") throw notFound();
    return { draft: { ...(draft ?? BUILT_IN_LABEL), ...fields } };
  };
}
