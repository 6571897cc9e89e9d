import { create } from "@bufbuild/protobuf";
import { type LabelPolicy, LabelPolicySchema, ThemeMode } from "../../../gen/signet/v1/label_policy_pb.js";
import { ObjectDetailsSchema } from "../../../gen/signet/v1/object_pb.js";
import type { FoundLabel } from "../../branding/get-label-policy.ts";
import { toImagePath } from "../../branding/image-path.ts";
import { PREVIEW_SECONDS, type PreviewedLabel } from "../../branding/preview-label-policy.ts";
import { toDetails } from "./details.ts";

/** The response with a label policy of an organization. */
export function toLabelPolicyResponse(found: FoundLabel, publicUrl: string) {
  return { policy: toLabelPolicy(found, publicUrl), isDefault: found.isInherited };
}

/** The response with a label policy and the link to its preview. */
export function toPreviewResponse(found: PreviewedLabel, publicUrl: string) {
  return {
    ...toLabelPolicyResponse(found, publicUrl),
    previewUrl: found.previewUrl,
    previewLifetime: { seconds: BigInt(PREVIEW_SECONDS) },
  };
}

function toLabelPolicy({ label, ownerId, row, isInherited }: FoundLabel, publicUrl: string): LabelPolicy {
  const { logo, logoDark, icon, iconDark = null, ...settings } = label;
  const toUrl = (hash: string | null) => (hash === null ? "" : `${publicUrl}${toImagePath(hash)}`);
  return create(LabelPolicySchema, {
    ...settings,
    details: row === undefined ? create(ObjectDetailsSchema, { resourceOwner: ownerId }) : toDetails(row, ownerId),
    isDefault: isInherited,
    logoUrl: toUrl(logo),
    logoUrlDark: toUrl(logoDark),
    iconUrl: toUrl(icon),
    iconUrlDark: toUrl(iconDark),
    themeMode: ThemeMode.AUTO,
  });
}
