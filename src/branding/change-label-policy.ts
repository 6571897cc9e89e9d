import { SignetError } from "../errors.ts";
import type { Owner } from "../owner.ts";
import { inBrandingChange, type StoredBranding } from "./change-branding.ts";
import type { UploadedImage } from "./check-label-image.ts";
import { BUILT_IN_LABEL, type Label, type LabelImages, type LabelSettings } from "./label-settings.ts";

/**
 * Adds a label policy to an organization that has none.
 *
 * @throws SignetError POLICY_EXISTS, or for a failure of the database, like all operations in this file.
 */
export const addLabelPolicy = inBrandingChange((settings: LabelSettings) => ({
  event: { type: "org.label.policy.added", payload: settings },
  decide: ({ draft }) => {
    if (draft !== null) throw new SignetError("POLICY_EXISTS", "the organization already has a label policy");
    return { draft: { ...BUILT_IN_LABEL, ...settings } };
  },
}));

/** Replaces the settings. @throws SignetError POLICY_NOT_FOUND for an organization without a policy. */
export const updateLabelPolicy = inBrandingChange((settings: LabelSettings, owner) => ({
  event: { type: `${owner.kind}.label.policy.changed`, payload: settings },
  decide: replaceIn(owner, settings),
}));

/**
 * Makes pages and emails use the policy and the texts of pages.
 *
 * @throws SignetError POLICY_NOT_FOUND for an owner with neither.
 */
export const activateLabelPolicy = inBrandingChange((_fields: unknown, { kind }) => ({
  event: { type: `${kind}.label.policy.activated`, payload: {} },
  decide: ({ draft, page_texts: texts, active_page_texts: active }) => {
    if (draft === null && Object.keys({ ...texts, ...active }).length === 0) throw notFound();
    return { active: draft, active_page_texts: texts };
  },
}));

/** Removes the policy: the owner inherits again. @throws SignetError POLICY_NOT_FOUND. */
export const resetLabelPolicy = inBrandingChange((_fields: unknown, { kind }) => ({
  event: { type: `${kind}.label.policy.removed`, payload: {} },
  decide: ({ draft }) => {
    if (draft === null) throw notFound();
    return { draft: null, active: null };
  },
}));

/** Stores an image. @throws SignetError POLICY_NOT_FOUND for an organization without a policy. */
export const replaceLabelImage = inBrandingChange((image: UploadedImage, owner) => ({
  event: { type: `${owner.kind}.label.policy.image.added`, payload: { image: image.image, hash: image.hash } },
  decide: replaceIn(owner, { [image.image]: image.hash }),
  image,
}));

/** The operation that removes an image. It throws SignetError POLICY_NOT_FOUND. */
export const removeLabelPolicyImage = (image: keyof LabelImages) =>
  inBrandingChange((_fields: unknown, { kind }) => ({
    event: { type: `${kind}.label.policy.image.removed`, payload: { image } },
    decide: ({ draft }) => {
      if (draft === null) throw notFound();
      return { draft: { ...draft, [image]: null } };
    },
  }));

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
