import type { LabelPolicyPayload } from "../events/catalogue.ts";

/** The settings of a label policy. */
export type LabelSettings = Readonly<LabelPolicyPayload>;

/** The images of a label policy: the SHA-256 of the file in base64url, for an SVG file with the extension `.svg`; or null. */
export interface LabelImages {
  readonly logo: string | null;
  readonly logoDark: string | null;
  readonly icon: string | null;
  /** Absent in a policy that a version without it has stored. */
  readonly iconDark?: string | null;
}

export const IMAGES = ["logo", "logoDark", "icon", "iconDark"] as const satisfies readonly (keyof LabelImages)[];

/** A label policy, as stored. */
export interface Label extends LabelSettings, LabelImages {}

const NO_IMAGES: LabelImages = { logo: null, logoDark: null, icon: null, iconDark: null };

/** The policy of an instance without one of its own. */
export const BUILT_IN_LABEL: Label = {
  primaryColor: "",
  primaryColorDark: "",
  disableWatermark: false,
  name: "",
  supportAddress: "",
  termsUrl: "",
  privacyUrl: "",
  ...NO_IMAGES,
};
