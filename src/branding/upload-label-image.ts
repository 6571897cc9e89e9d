import type { Call } from "../call.ts";
import { invalidArgument } from "../errors.ts";
import type { ChangeParts } from "../events/change-object.ts";
import type { Changed } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import { replaceLabelImage } from "./change-label-policy.ts";
import { type CheckedImage, toSvgImage, type UploadedImage } from "./check-label-image.ts";
import type { SanitizeSvg } from "./svg-thread.ts";

export interface UploadLabelImageParts extends ChangeParts {
  readonly sanitizeSvg: SanitizeSvg;
}

/**
 * Replaces an image of a label policy (docs/reference/branding.md). Sanitizes an SVG file.
 *
 * @throws SignetError INVALID_ARGUMENT for an SVG file that cannot be used, POLICY_NOT_FOUND for an organization without
 *   a policy, UNAVAILABLE if too many SVG files wait, or for a failure of the database.
 */
export async function uploadLabelPolicyImage(
  parts: UploadLabelImageParts,
  checked: CheckedImage,
  owner: Owner,
  call: Call,
): Promise<Changed> {
  const uploaded = "svg" in checked ? await sanitize(parts, checked) : checked;
  call.throwIfOver();
  return await replaceLabelImage(parts, uploaded, owner, call);
}

async function sanitize(
  { sanitizeSvg }: UploadLabelImageParts,
  { image, svg: file }: Extract<CheckedImage, { svg: unknown }>,
): Promise<UploadedImage> {
  const svg = await sanitizeSvg(file);
  if ("problem" in svg) throw invalidArgument({ field: "data", description: svg.problem });
  return toSvgImage(image, svg.data);
}
