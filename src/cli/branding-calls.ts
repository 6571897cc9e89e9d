import { type DescMessage, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import type { UpdateLabelPolicyRequest } from "../../gen/signet/v1/label_policy_instance_pb.js";
import type { LabelPolicy, LabelPolicyImage } from "../../gen/signet/v1/label_policy_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import type { MessageText, MessageTextType } from "../../gen/signet/v1/message_text_pb.js";
import type { ObjectDetails } from "../../gen/signet/v1/object_pb.js";
import type { PageText } from "../../gen/signet/v1/page_text_pb.js";
import { inOrg } from "../moving/in-org.ts";
import type { Api } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";

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

export type ImageName = "logo" | "logo-dark" | "icon" | "icon-dark";

interface Changed {
  readonly details?: ObjectDetails | undefined;
}

/** A response of the API, and its JSON. */
type Read<Response> = Promise<Response & { readonly json: JsonValue }>;

interface FoundPolicy {
  readonly policy?: LabelPolicy | undefined;
  /** The page that shows the policy as last edited. */
  readonly previewUrl?: string;
}

interface BrandingCalls {
  /** The policy as last edited, with the URL that shows it. */
  readDraft(): Read<FoundPolicy>;
  readActive(): Read<FoundPolicy>;
  /** @param isNew Whether the owner has no policy yet, which then has only these settings. */
  write(settings: Partial<LabelSettings>, isNew: boolean): Promise<Changed>;
  upload(image: LabelPolicyImage, data: Uint8Array<ArrayBuffer>): Promise<Changed>;
  remove(image: ImageName): Promise<Changed>;
  activate(): Promise<Changed>;
  reset(): Promise<Changed>;
  listPageTexts(language: string): Read<{ readonly result: readonly PageText[] }>;
  setPageText(language: string, key: string, text: string): Promise<Changed>;
  resetPageTexts(language: string): Promise<Changed>;
  listMessageTexts(language: string): Read<{ readonly result: readonly MessageText[] }>;
  setMessageText(message: MessageId, texts: { subject: string; text: string; buttonText: string }): Promise<Changed>;
  resetMessageText(message: MessageId): Promise<Changed>;
}

interface MessageId {
  readonly type: MessageTextType;
  readonly language: string;
}

/** @throws ConfigError if no organization has the name. */
export async function openBranding(api: Api, { org, instance }: BrandingOwner): Promise<BrandingCalls> {
  return instance ? ofInstance(api) : ofOrg(api, await findNamedOrg(api, org));
}

const { method: ADMIN } = AdminService;
const { method: MANAGEMENT } = ManagementService;

function ofInstance({ admin }: Api): BrandingCalls {
  return {
    readDraft: () => withJson(ADMIN.getPreviewLabelPolicy, admin.getPreviewLabelPolicy({})),
    readActive: () => withJson(ADMIN.getLabelPolicy, admin.getLabelPolicy({})),
    write: (settings) => admin.updateLabelPolicy(settings),
    upload: (image, data) => admin.uploadLabelPolicyImage({ image, data }),
    remove: (image) => admin[`removeLabelPolicy${IMAGES[image]}` as const]({}),
    activate: () => admin.activateLabelPolicy({}),
    reset: () => admin.resetInstanceLabelPolicyToDefault({}),
    listPageTexts: (language) => withJson(ADMIN.listDefaultPageTexts, admin.listDefaultPageTexts({ language })),
    setPageText: (language, key, text) => admin.setDefaultPageTexts({ language, texts: [{ key, text }] }),
    resetPageTexts: (language) => admin.resetDefaultPageTextsToDefault({ language }),
    listMessageTexts: (language) =>
      withJson(ADMIN.listDefaultMessageTexts, admin.listDefaultMessageTexts({ language })),
    setMessageText: (message, texts) => admin.setDefaultMessageText({ ...message, ...texts }),
    resetMessageText: (message) => admin.resetDefaultMessageTextToDefault(message),
  };
}

/** The images in the names of calls. */
const IMAGES = { logo: "Logo", "logo-dark": "LogoDark", icon: "Icon", "icon-dark": "IconDark" } as const;

function ofOrg({ management }: Api, orgId: string | undefined): BrandingCalls {
  const options = inOrg(orgId);
  return {
    readDraft: () => withJson(MANAGEMENT.getPreviewLabelPolicy, management.getPreviewLabelPolicy({}, options)),
    readActive: () => withJson(MANAGEMENT.getLabelPolicy, management.getLabelPolicy({}, options)),
    write: (settings, isNew) =>
      isNew
        ? management.addCustomLabelPolicy(settings, options)
        : management.updateCustomLabelPolicy(settings, options),
    upload: (image, data) => management.uploadCustomLabelPolicyImage({ image, data }, options),
    remove: (image) => management[`removeCustomLabelPolicy${IMAGES[image]}` as const]({}, options),
    activate: () => management.activateCustomLabelPolicy({}, options),
    reset: () => management.resetLabelPolicyToDefault({}, options),
    listPageTexts: (language) =>
      withJson(MANAGEMENT.listCustomPageTexts, management.listCustomPageTexts({ language }, options)),
    setPageText: (language, key, text) => management.setCustomPageTexts({ language, texts: [{ key, text }] }, options),
    resetPageTexts: (language) => management.resetCustomPageTextsToDefault({ language }, options),
    listMessageTexts: (language) =>
      withJson(MANAGEMENT.listCustomMessageTexts, management.listCustomMessageTexts({ language }, options)),
    setMessageText: (message, texts) => management.setCustomMessageText({ ...message, ...texts }, options),
    resetMessageText: (message) => management.resetCustomMessageTextToDefault(message, options),
  };
}

async function withJson<Output extends DescMessage>(
  { output }: { readonly output: Output },
  call: Promise<MessageShape<Output>>,
) {
  const response = await call;
  return { ...response, json: toJson(output, response) };
}
