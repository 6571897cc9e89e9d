import { LabelPolicyImage } from "../../../gen/signet/v1/label_policy_pb.js";
import { type Api, inOrg } from "../../api/api.ts";
import type { BrandingValues, toLoginRequest } from "./policy-values.ts";

/** The calls that read and change the branding and the login policy of an organization, or of the instance. */
export type PolicyCalls = ReturnType<typeof toPolicyCalls>;

/** @param orgId Undefined for the instance. */
export function toPolicyCalls(api: Api, orgId: string | undefined) {
  const either = orgId === undefined ? api.admin : api.management;
  return {
    /** The branding as last edited. */
    preview: (signal?: AbortSignal) => either.getPreviewLabelPolicy({}, inOrg(orgId, signal)),
    /** The branding that users see, and that of the instance, to compare it with. */
    active: async (signal?: AbortSignal) => ({
      instancePolicy: undefined,
      ...(await either.getLabelPolicy({}, inOrg(orgId, signal))),
    }),
    /** `isDefault`: whether the owner inherits it. */
    login: async (signal?: AbortSignal) => ({
      ...{ instancePolicy: undefined, isDefault: false },
      ...(await either.getLoginPolicy({}, inOrg(orgId, signal))),
    }),
    ...(orgId === undefined ? toChangesOfInstance(api) : toChangesOfOrg(api, orgId)),
  };
}

/** Those of an organization that has none of its own yet add one. */
function toChangesOfOrg({ management }: Api, orgId: string) {
  const call = inOrg(orgId);
  return {
    saveBranding: (values: BrandingValues, isInherited: boolean) =>
      isInherited ? management.addCustomLabelPolicy(values, call) : management.updateCustomLabelPolicy(values, call),
    activate: () => management.activateCustomLabelPolicy({}, call),
    resetBranding: () => management.resetLabelPolicyToDefault({}, call),
    upload: (image: UploadedImage) => management.uploadCustomLabelPolicyImage(image, call),
    removeImage: {
      logo: () => management.removeCustomLabelPolicyLogo({}, call),
      logoDark: () => management.removeCustomLabelPolicyLogoDark({}, call),
      icon: () => management.removeCustomLabelPolicyIcon({}, call),
      iconDark: () => management.removeCustomLabelPolicyIconDark({}, call),
    },
    saveLogin: (request: LoginRequest, isInherited: boolean) =>
      isInherited ? management.addCustomLoginPolicy(request, call) : management.updateCustomLoginPolicy(request, call),
    resetLogin: () => management.resetLoginPolicyToDefault({}, call),
  };
}

/** The instance always has a login policy. */
function toChangesOfInstance(api: Api) {
  return {
    saveBranding: (values: BrandingValues) => api.admin.updateLabelPolicy(values),
    activate: () => api.admin.activateLabelPolicy({}),
    resetBranding: () => api.admin.resetInstanceLabelPolicyToDefault({}),
    upload: (image: UploadedImage) => api.admin.uploadLabelPolicyImage(image),
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

interface UploadedImage {
  readonly image: LabelPolicyImage;
  readonly data: Uint8Array;
}

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

export const IMAGE_NAMES = Object.keys(IMAGES) as readonly ImageName[];
