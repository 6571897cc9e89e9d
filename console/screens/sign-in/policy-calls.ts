import { LabelPolicyImage } from "../../../gen/signet/v1/label_policy_pb.js";
import type { Api } from "../../api/api.ts";
import { namesOf } from "../../state/tables.ts";
import type { BrandingValues, toLoginRequest } from "./policy-values.ts";

/** The calls that read and change the branding and the login policy of an organization, or of the instance. */
export type PolicyCalls = ReturnType<typeof toPolicyCalls>;

export function toPolicyCalls(api: Api, ofInstance: boolean) {
  const either = ofInstance ? api.admin : api.management;
  return {
    /** The branding as last edited. */
    preview: (signal?: AbortSignal) => either.getPreviewLabelPolicy({}, signal && { signal }),
    /** The branding that users see, and that of the instance, to compare it with. */
    active: async (signal?: AbortSignal) => ({
      instancePolicy: undefined,
      ...(await either.getLabelPolicy({}, signal && { signal })),
    }),
    /** `isDefault`: whether the owner inherits it. */
    login: async (signal?: AbortSignal) => ({
      ...{ instancePolicy: undefined, isDefault: false },
      ...(await either.getLoginPolicy({}, signal && { signal })),
    }),
    ...(ofInstance ? toChangesOfInstance(api) : toChangesOfOrg(api)),
  };
}

/** Those of an organization that has none of its own yet add one. */
function toChangesOfOrg({ management }: Api) {
  return {
    saveBranding: (values: BrandingValues, isInherited: boolean) =>
      isInherited ? management.addCustomLabelPolicy(values) : management.updateCustomLabelPolicy(values),
    activate: () => management.activateCustomLabelPolicy({}),
    resetBranding: () => management.resetLabelPolicyToDefault({}),
    upload: management.uploadCustomLabelPolicyImage,
    removeImage: {
      logo: () => management.removeCustomLabelPolicyLogo({}),
      logoDark: () => management.removeCustomLabelPolicyLogoDark({}),
      icon: () => management.removeCustomLabelPolicyIcon({}),
      iconDark: () => management.removeCustomLabelPolicyIconDark({}),
    },
    saveLogin: (request: LoginRequest, isInherited: boolean) =>
      isInherited ? management.addCustomLoginPolicy(request) : management.updateCustomLoginPolicy(request),
    resetLogin: () => management.resetLoginPolicyToDefault({}),
  };
}

/** The instance always has a login policy. */
function toChangesOfInstance(api: Api) {
  return {
    saveBranding: (values: BrandingValues) => api.admin.updateLabelPolicy(values),
    activate: () => api.admin.activateLabelPolicy({}),
    resetBranding: () => api.admin.resetInstanceLabelPolicyToDefault({}),
    upload: api.admin.uploadLabelPolicyImage,
    removeImage: {
      logo: () => api.admin.removeLabelPolicyLogo({}),
      logoDark: () => api.admin.removeLabelPolicyLogoDark({}),
      icon: () => api.admin.removeLabelPolicyIcon({}),
      iconDark: () => api.admin.removeLabelPolicyIconDark({}),
    },
    saveLogin: (request: LoginRequest) => api.admin.updateLoginPolicy(request),
    resetLogin: undefined,
  };
}

type LoginRequest = ReturnType<typeof toLoginRequest>;

/** What each part of the page gets. */
export interface SignInPart {
  readonly calls: PolicyCalls;
  /** Whose settings the page shows. */
  readonly owner: "org" | "instance";
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** The images of a label policy: the number of each in the API, and the member with its URL. */
export const IMAGES = {
  logo: { image: LabelPolicyImage.LOGO, url: "logoUrl" },
  logoDark: { image: LabelPolicyImage.LOGO_DARK, url: "logoUrlDark" },
  icon: { image: LabelPolicyImage.ICON, url: "iconUrl" },
  iconDark: { image: LabelPolicyImage.ICON_DARK, url: "iconUrlDark" },
} as const;

export type ImageName = keyof typeof IMAGES;

export const IMAGE_NAMES = namesOf(IMAGES);
