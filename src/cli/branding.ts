import type { LabelPolicy } from "../../gen/signet/v1/label_policy_pb.js";
import type { Config } from "../config.ts";
import { apiCommand, confirmedCommand, type JsonOptions, withApi } from "./api.ts";
import {
  type BrandingOwner,
  type ImageName,
  type LabelSettings,
  openBranding,
  printChanged,
} from "./branding-calls.ts";
import { given } from "./given.ts";
import { print } from "./print.ts";
import { readOptionFile } from "./read-option-file.ts";
import { UsageError } from "./usage-error.ts";

export interface BrandingOptions extends JsonOptions, BrandingOwner {}

/** `signet branding show`. With --json, the response of GetPreviewLabelPolicy or, with `active`, GetLabelPolicy. */
export const showBrandingCommand = apiCommand(
  async (api, { active, ...options }: BrandingOptions & { readonly active: boolean }) => {
    const branding = await openBranding(api, options);
    const found = await (active ? branding.readActive() : branding.readDraft());
    const rows = found.policy === undefined ? [] : toRows(found.policy);
    if ("previewUrl" in found) rows.push(["preview", found.previewUrl]);
    const width = Math.max(...rows.map(([name]) => name.length));
    print(
      options.json,
      found.json,
      rows.map(([name, value]) => `${name.padEnd(width)}  ${value || "-"}`),
    );
  },
);

function toRows(policy: LabelPolicy): [string, string][] {
  return [
    ["inherited", policy.isDefault ? "yes" : "no"],
    ["name", policy.name],
    ["color", policy.primaryColor],
    ["dark color", policy.primaryColorDark],
    ["support address", policy.supportAddress],
    ["terms", policy.termsUrl],
    ["privacy", policy.privacyUrl],
    ["mentions Signet", policy.disableWatermark ? "no" : "yes"],
    ["logo", policy.logoUrl],
    ["dark logo", policy.logoUrlDark],
    ["icon", policy.iconUrl],
    ["dark icon", policy.iconUrlDark],
  ];
}

interface SetOptions extends BrandingOptions {
  readonly name?: string;
  readonly color?: string;
  readonly colorDark?: string;
  readonly supportAddress?: string;
  readonly termsUrl?: string;
  readonly privacyUrl?: string;
  /** Whether pages mention Signet. */
  readonly watermark?: boolean;
}

/** `signet branding set`: changes the given settings, and keeps the others. */
export async function setBrandingCommand(configuration: () => Config, options: SetOptions): Promise<void> {
  const given = toSettings(options);
  if (Object.keys(given).length === 0) throw new UsageError("nothing to change: give at least one setting");
  await withApi(configuration, options, async (api) => {
    const branding = await openBranding(api, options);
    const { policy } = await branding.readDraft();
    const isNew = policy?.isDefault !== false;
    const settings = { ...(isNew ? {} : settingsOf(policy)), ...given };
    printChanged(options.json, await branding.write(settings, isNew), `changed; ${NEXT}`);
  });
}

const NEXT = "pages and emails use it after `signet branding activate`";

function toSettings(options: SetOptions): Partial<LabelSettings> {
  const { name, color: primaryColor, colorDark: primaryColorDark, supportAddress, termsUrl, privacyUrl } = options;
  const disableWatermark = options.watermark === undefined ? undefined : !options.watermark;
  return given({ name, primaryColor, primaryColorDark, supportAddress, termsUrl, privacyUrl, disableWatermark });
}

/** The settings without images, which the call that writes them keeps. */
function settingsOf(policy: LabelPolicy): LabelSettings {
  const { primaryColor, primaryColorDark, disableWatermark, name, supportAddress, termsUrl, privacyUrl } = policy;
  return { primaryColor, primaryColorDark, disableWatermark, name, supportAddress, termsUrl, privacyUrl };
}

/** `signet branding upload`: replaces an image by a file. */
export async function uploadImageCommand(
  configuration: () => Config,
  { image, file, ...options }: BrandingOptions & { readonly image: ImageName; readonly file: string },
): Promise<void> {
  const data = new Uint8Array(readOptionFile(image, file));
  await withApi(configuration, options, async (api) => {
    const branding = await openBranding(api, options);
    printChanged(options.json, await branding.upload(image, data), `replaced the image ${image}; ${NEXT}`);
  });
}

/** `signet branding remove`: removes an image. */
export const removeImageCommand = apiCommand(
  async (api, { image, ...options }: BrandingOptions & { readonly image: ImageName }) => {
    const branding = await openBranding(api, options);
    printChanged(options.json, await branding.remove(image), `removed the image ${image}; ${NEXT}`);
  },
);

/** `signet branding activate`: pages and emails use what was last edited. */
export const activateBrandingCommand = apiCommand(async (api, options: BrandingOptions) => {
  const branding = await openBranding(api, options);
  printChanged(options.json, await branding.activate(), "activated; pages and emails show it within five seconds");
});

/** `signet branding reset`: removes the label policy with its images. */
export const resetBrandingCommand = confirmedCommand(async (api, options: BrandingOptions, confirm) => {
  const branding = await openBranding(api, options);
  await confirm("Remove the name, colors, links and images of the branding? This cannot be undone.");
  printChanged(options.json, await branding.reset(), "reset; the inherited branding is used");
});
