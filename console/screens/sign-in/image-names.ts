import { LabelPolicyImage } from "../../../gen/signet/v1/label_policy_pb.js";

/** The images of a label policy: the number of each in the API, and the member with its URL. */
export const IMAGES = {
  logo: { image: LabelPolicyImage.LOGO, url: "logoUrl" },
  logoDark: { image: LabelPolicyImage.LOGO_DARK, url: "logoUrlDark" },
  icon: { image: LabelPolicyImage.ICON, url: "iconUrl" },
  iconDark: { image: LabelPolicyImage.ICON_DARK, url: "iconUrlDark" },
} as const;

export type ImageName = keyof typeof IMAGES;

export const IMAGE_NAMES = Object.keys(IMAGES) as readonly ImageName[];
