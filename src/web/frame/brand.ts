import { toAccentPath } from "../../branding/accent-path.ts";
import { toImagePath, toImageType } from "../../branding/image-path.ts";
import type { Label } from "../../branding/label-settings.ts";
import { type Html, html } from "../../html.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { ICON, LOGO } from "./logo.ts";

/** The name that a page shows; empty if it shows none. It is Signet only if there is neither a name nor a logo. */
export function shownName(label: Label): string {
  return label.name || (label.disableWatermark || isBranded(label) ? "" : "Signet");
}

function isBranded({ name, logo, logoDark }: Label): boolean {
  return name !== "" || logo !== null || logoDark !== null;
}

/** The icon in the tab of the browser. */
export function iconLink(label: Label): Html {
  const { icon, iconDark, disableWatermark } = label;
  const file = icon ?? iconDark;
  if (icon !== null && iconDark) {
    return html`${linkTo(icon, "(prefers-color-scheme: light)")}
${linkTo(iconDark, "(prefers-color-scheme: dark)")}`;
  }
  if (file) return linkTo(file);
  return disableWatermark || isBranded(label)
    ? html`<link rel="icon" href="data:,">`
    : html`<link rel="icon" type="image/svg+xml" href="${ICON.address}">`;
}

function linkTo(icon: string, media?: string): Html {
  const type = toImageType(icon);
  const condition = media !== undefined && html` media="${media}"`;
  return html`<link rel="icon" type="${type}" href="${toImagePath(icon)}"${condition}>`;
}

/** The stylesheet with the colors. */
export function accentLink(label: Label): Html | undefined {
  const path = toAccentPath(label);
  return path === undefined ? undefined : html`<link rel="stylesheet" href="${path}">`;
}

/** The top of the page: the logo, or else the name. */
export function brandHeader(label: Label): Html | undefined {
  const { logo, logoDark, name } = label;
  const file = logo ?? logoDark;
  if (file !== null) {
    const dark =
      logoDark !== null && html`<source media="(prefers-color-scheme: dark)" srcset="${toImagePath(logoDark)}">`;
    return html`<p class="brand"><picture>${dark}<img src="${toImagePath(file)}" alt="${name}"></picture></p>`;
  }
  if (name !== "") return html`<p class="brand">${name}</p>`;
  return label.disableWatermark ? undefined : html`<p class="brand">${LOGO}Signet</p>`;
}

/** The end of the page: where to get help, terms, privacy, and Signet if the top of the page does not show it. */
export function brandFooter(label: Label, language: PageLanguage): Html | undefined {
  const { supportAddress, termsUrl, privacyUrl, disableWatermark } = label;
  const texts = language.texts.frame.brand;
  const parts = [
    supportAddress !== "" && html`<a href="mailto:${encodeAddress(supportAddress)}">${texts.support}</a>`,
    termsUrl !== "" && html`<a href="${termsUrl}" rel="noreferrer">${texts.terms}</a>`,
    privacyUrl !== "" && html`<a href="${privacyUrl}" rel="noreferrer">${texts.privacy}</a>`,
    isBranded(label) && !disableWatermark && html`<span>${texts.watermark}</span>`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : html`<footer>${parts}</footer>`;
}

/** An address can contain characters that have a meaning in a URL (RFC 6068). */
function encodeAddress(address: string): string {
  return encodeURIComponent(address).replace("%40", "@");
}
