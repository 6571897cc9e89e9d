import { type DescMessage, type MessageShape, toJson } from "@bufbuild/protobuf";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import type { UpdateLabelPolicyRequest } from "../../gen/signet/v1/label_policy_instance_pb.js";
import { LabelPolicyImage } from "../../gen/signet/v1/label_policy_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import type { MessageText } from "../../gen/signet/v1/message_text_pb.js";
import type { ObjectDetails } from "../../gen/signet/v1/object_pb.js";
import { inOrg } from "../moving/in-org.ts";
import type { Api } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { print } from "./print.ts";

/** Whose branding: an organization's, by default that of the token, or the instance's. */
export interface BrandingOwner {
  /** Id or name. */
  readonly org?: string;
  readonly instance: boolean;
}

/** The settings of a label policy that can be changed. */
export type LabelSettings = Pick<
  UpdateLabelPolicyRequest,
  "primaryColor" | "primaryColorDark" | "disableWatermark" | "name" | "supportAddress" | "termsUrl" | "privacyUrl"
>;

/** The images: in messages, and in the names of calls. */
const IMAGES = {
  logo: { image: LabelPolicyImage.LOGO, call: "Logo" },
  "logo-dark": { image: LabelPolicyImage.LOGO_DARK, call: "LogoDark" },
  icon: { image: LabelPolicyImage.ICON, call: "Icon" },
  "icon-dark": { image: LabelPolicyImage.ICON_DARK, call: "IconDark" },
} as const;

export type ImageName = keyof typeof IMAGES;

type MessageId = Pick<MessageText, "type" | "language">;
type FileData = Uint8Array<ArrayBuffer>;
type NewTexts = Pick<MessageText, "subject" | "text" | "buttonText">;

/** The calls that read and change the branding of an owner. @throws ConfigError if no organization has the name. */
export async function openBranding(api: Api, { org, instance }: BrandingOwner) {
  return instance ? ofInstance(api) : ofOrg(api, await findNamedOrg(api, org));
}

const { method: ADMIN } = AdminService;
const { method: MANAGEMENT } = ManagementService;

function ofInstance({ admin }: Api) {
  return {
    readDraft: () => withJson(ADMIN.getPreviewLabelPolicy, admin.getPreviewLabelPolicy({})),
    readActive: () => withJson(ADMIN.getLabelPolicy, admin.getLabelPolicy({})),
    write: (settings: Partial<LabelSettings>) => admin.updateLabelPolicy(settings),
    upload: (name: ImageName, data: FileData) => admin.uploadLabelPolicyImage({ image: IMAGES[name].image, data }),
    remove: (name: ImageName) => admin[`removeLabelPolicy${IMAGES[name].call}` as const]({}),
    activate: () => admin.activateLabelPolicy({}),
    reset: () => admin.resetInstanceLabelPolicyToDefault({}),
    listPageTexts: (language: string) => withJson(ADMIN.listDefaultPageTexts, admin.listDefaultPageTexts({ language })),
    setPageText: (language: string, key: string, text: string) =>
      admin.setDefaultPageTexts({ language, texts: [{ key, text }] }),
    resetPageTexts: (language: string) => admin.resetDefaultPageTextsToDefault({ language }),
    listMessageTexts: (language: string) =>
      withJson(ADMIN.listDefaultMessageTexts, admin.listDefaultMessageTexts({ language })),
    setMessageText: (message: MessageId, texts: NewTexts) => admin.setDefaultMessageText({ ...message, ...texts }),
    resetMessageText: (message: MessageId) => admin.resetDefaultMessageTextToDefault(message),
  };
}

function ofOrg({ management }: Api, orgId: string | undefined) {
  const options = inOrg(orgId);
  return {
    readDraft: () => withJson(MANAGEMENT.getPreviewLabelPolicy, management.getPreviewLabelPolicy({}, options)),
    readActive: () => withJson(MANAGEMENT.getLabelPolicy, management.getLabelPolicy({}, options)),
    /** @param isNew Whether the organization has no policy yet, which then has only these settings. */
    write: (settings: Partial<LabelSettings>, isNew: boolean) =>
      isNew
        ? management.addCustomLabelPolicy(settings, options)
        : management.updateCustomLabelPolicy(settings, options),
    upload: (name: ImageName, data: FileData) =>
      management.uploadCustomLabelPolicyImage({ image: IMAGES[name].image, data }, options),
    remove: (name: ImageName) => management[`removeCustomLabelPolicy${IMAGES[name].call}` as const]({}, options),
    activate: () => management.activateCustomLabelPolicy({}, options),
    reset: () => management.resetLabelPolicyToDefault({}, options),
    listPageTexts: (language: string) =>
      withJson(MANAGEMENT.listCustomPageTexts, management.listCustomPageTexts({ language }, options)),
    setPageText: (language: string, key: string, text: string) =>
      management.setCustomPageTexts({ language, texts: [{ key, text }] }, options),
    resetPageTexts: (language: string) => management.resetCustomPageTextsToDefault({ language }, options),
    listMessageTexts: (language: string) =>
      withJson(MANAGEMENT.listCustomMessageTexts, management.listCustomMessageTexts({ language }, options)),
    setMessageText: (message: MessageId, texts: NewTexts) =>
      management.setCustomMessageText({ ...message, ...texts }, options),
    resetMessageText: (message: MessageId) => management.resetCustomMessageTextToDefault(message, options),
  };
}

async function withJson<Output extends DescMessage>(
  { output }: { readonly output: Output },
  call: Promise<MessageShape<Output>>,
) {
  const response = await call;
  return { ...response, json: toJson(output, response) };
}

/** Prints what a change of the branding did. */
export function printChanged(
  json: boolean,
  { details }: { readonly details?: ObjectDetails | undefined },
  what: string,
): void {
  print(json, { ownerId: details?.resourceOwner }, [what]);
}
