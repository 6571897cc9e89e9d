import { type LabelPolicy, LabelPolicyImage } from "../../../gen/signet/v1/label_policy_pb.js";
import type { LoginPolicy } from "../../../gen/signet/v1/login_policy_pb.js";
import { type Api, inOrg } from "../../api/api.ts";
import type { BrandingValues, toLoginRequest } from "./policy-values.ts";

interface Active<Policy> {
  readonly policy?: Policy | undefined;
  /** That of the instance, to compare it with; none for the instance itself. */
  readonly instancePolicy?: Policy | undefined;
}

/** What an owner has of its own, and what applies without it. */
interface OwnPolicies {
  /** The branding as last edited. */
  preview(signal?: AbortSignal): Promise<{ readonly policy?: LabelPolicy | undefined; readonly previewUrl: string }>;
  /** The branding that users see. */
  active(signal?: AbortSignal): Promise<Active<LabelPolicy>>;
  /** `isDefault`: whether the owner inherits it. */
  login(signal?: AbortSignal): Promise<Active<LoginPolicy> & { readonly isDefault: boolean }>;
}

/** The calls that read and change the branding and the login policy of an organization, or of the instance. */
export interface PolicyCalls extends OwnPolicies {
  /** @param isInherited Whether the owner has none of its own yet. */
  saveBranding(values: BrandingValues, isInherited: boolean): Promise<unknown>;
  activate(): Promise<unknown>;
  resetBranding(): Promise<unknown>;
  upload(image: { readonly image: LabelPolicyImage; readonly data: Uint8Array }): Promise<unknown>;
  readonly removeImage: Readonly<Record<ImageName, () => Promise<unknown>>>;
  /** @param isInherited Whether the owner has none of its own yet. */
  saveLogin(request: ReturnType<typeof toLoginRequest>, isInherited: boolean): Promise<unknown>;
  /** Undefined for the instance, which always has one. */
  readonly resetLogin: (() => Promise<unknown>) | undefined;
}

/** @param orgId Undefined for the instance. */
export function toPolicyCalls(api: Api, orgId: string | undefined): PolicyCalls {
  return orgId === undefined ? ofInstance(api) : ofOrg(api, orgId);
}

function ofOrg(api: Api, orgId: string): PolicyCalls {
  const call = inOrg(orgId);
  return {
    preview: (signal) => api.management.getPreviewLabelPolicy({}, inOrg(orgId, signal)),
    active: (signal) => api.management.getLabelPolicy({}, inOrg(orgId, signal)),
    login: (signal) => api.management.getLoginPolicy({}, inOrg(orgId, signal)),
    saveBranding: (values, isInherited) =>
      isInherited
        ? api.management.addCustomLabelPolicy(values, call)
        : api.management.updateCustomLabelPolicy(values, call),
    activate: () => api.management.activateCustomLabelPolicy({}, call),
    resetBranding: () => api.management.resetLabelPolicyToDefault({}, call),
    upload: (image) => api.management.uploadCustomLabelPolicyImage(image, call),
    removeImage: {
      logo: () => api.management.removeCustomLabelPolicyLogo({}, call),
      logoDark: () => api.management.removeCustomLabelPolicyLogoDark({}, call),
      icon: () => api.management.removeCustomLabelPolicyIcon({}, call),
      iconDark: () => api.management.removeCustomLabelPolicyIconDark({}, call),
    },
    saveLogin: (request, isInherited) =>
      isInherited
        ? api.management.addCustomLoginPolicy(request, call)
        : api.management.updateCustomLoginPolicy(request, call),
    resetLogin: () => api.management.resetLoginPolicyToDefault({}, call),
  };
}

function ofInstance(api: Api): PolicyCalls {
  const until = (signal: AbortSignal | undefined) => (signal ? { signal } : {});
  return {
    preview: (signal) => api.admin.getPreviewLabelPolicy({}, until(signal)),
    active: (signal) => api.admin.getLabelPolicy({}, until(signal)),
    login: async (signal) => {
      const { policy } = await api.admin.getLoginPolicy({}, until(signal));
      return { policy, isDefault: false };
    },
    saveBranding: (values) => api.admin.updateLabelPolicy(values),
    activate: () => api.admin.activateLabelPolicy({}),
    resetBranding: () => api.admin.resetInstanceLabelPolicyToDefault({}),
    upload: (image) => api.admin.uploadLabelPolicyImage(image),
    removeImage: {
      logo: () => api.admin.removeLabelPolicyLogo({}),
      logoDark: () => api.admin.removeLabelPolicyLogoDark({}),
      icon: () => api.admin.removeLabelPolicyIcon({}),
      iconDark: () => api.admin.removeLabelPolicyIconDark({}),
    },
    saveLogin: (request) => api.admin.updateLoginPolicy(request),
    resetLogin: undefined,
  };
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
