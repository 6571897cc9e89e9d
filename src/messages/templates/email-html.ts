import { html } from "../../html.ts";
import type { Email, EmailAction } from "./email.ts";
import { type EmailBrand, LOGO_CONTENT_ID } from "./email-brand.ts";

/** Dark mode, which inline styles cannot express. Mail clients that drop this style sheet show the light colors. */
const toDarkStyle = ({ button: { dark } }: EmailBrand) => html`
    :root { color-scheme: light dark; supported-color-schemes: light dark; }
    @media (prefers-color-scheme: dark) {
      .page { background-color: #14161a !important; }
      .card { background-color: #1f2227 !important; border-color: #353a42 !important; color: #eceef1 !important; }
      .quiet, .quiet a { color: #a9b0ba !important; }
      .button { background-color: ${dark.accent} !important; color: ${dark.text} !important; }
    }
  `;

const FONT = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const PARAGRAPH = "margin: 0 0 16px; font-size: 16px; line-height: 24px";
const QUIET = "margin: 0 0 12px; font-size: 14px; line-height: 20px; color: #59616d";

/**
 * Renders the email as an HTML document with inline styles, and no external resources or tracking. Language, direction
 * and font are set on an inner element, because many mail clients keep only the content of the body.
 */
export function layOutHtml(email: Email): string {
  const { language, brand, action } = email;
  return html`<!doctype html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="supported-color-schemes" content="light dark">
  <meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
  <title>${email.subject}</title>
  <style>${toDarkStyle(email.brand)}</style>
</head>
<body class="page" style="margin: 0; padding: 0; background-color: #f3f4f6">
  <div class="page" lang="${language}" dir="ltr" style="padding: 24px 12px; background-color: #f3f4f6; ${FONT}">
    <div class="card" style="box-sizing: border-box; max-width: 560px; margin: 0 auto; padding: 32px 24px 16px;
      background-color: #ffffff; border: 1px solid #dfe2e7; border-radius: 12px; color: #1b1f26;
      overflow-wrap: break-word; word-wrap: break-word">
      ${layOutBrand(brand)}
      <p style="${PARAGRAPH}">${email.greeting}</p>
      <p style="${PARAGRAPH}">${email.occasion} ${email.request}</p>
      ${email.details !== undefined && layOutDetails(email.details)}
      ${email.userName !== undefined && html`<p style="${PARAGRAPH}">${email.userName}</p>`}
      ${email.advice !== undefined && html`<p style="${PARAGRAPH}">${email.advice}</p>`}
      ${action !== undefined && layOutAction(action, brand)}
      <p class="quiet" style="${QUIET}">${email.sentTo} ${email.unexpected}</p>
      ${brand.links.length > 0 && layOutLinks(brand)}
    </div>
  </div>
</body>
</html>
`.text;
}

/** The logo is on white also in dark mode, because it is the one for light pages. */
function layOutBrand({ hasLogo, name }: EmailBrand) {
  if (hasLogo) {
    return html`<p style="${PARAGRAPH}"><img src="cid:${LOGO_CONTENT_ID}" alt="${name ?? ""}" height="40"
        style="max-width: 100%; padding: 4px; border-radius: 4px; background-color: #ffffff"></p>`;
  }
  return name !== undefined && html`<p style="${PARAGRAPH}; font-weight: 600">${name}</p>`;
}

function layOutAction({ button, copyLink, link, validity }: EmailAction, { button: { light } }: EmailBrand) {
  return html`<p style="margin: 28px 0; text-align: center">
        <a class="button" href="${link}" style="display: inline-block; padding: 13px 20px; border-radius: 8px;
          background-color: ${light.accent}; color: ${light.text}; font-size: 16px; line-height: 22px; font-weight: 600;
          text-decoration: none">${button}</a>
      </p>
      <p class="quiet" style="${QUIET}">${copyLink}<br>
        <a href="${link}" style="color: #59616d; word-break: break-all">${shorten(link)}</a></p>
      ${validity !== undefined && html`<p class="quiet" style="${QUIET}">${validity}</p>`}`;
}

/** The address without the secret, which nobody reads: the text version has the whole link. */
function shorten(link: string): string {
  const { host, pathname } = new URL(link);
  return host + pathname;
}

function layOutLinks({ links }: EmailBrand) {
  const parts = links.map(({ label, url }) => html`<a href="${url}" style="color: #59616d">${label}</a>`);
  return html`<p class="quiet" style="${QUIET}">${parts.map((part, index) => html`${index > 0 && " · "}${part}`)}</p>`;
}

function layOutDetails(details: readonly string[]) {
  return html`<p style="${PARAGRAPH}">${details.map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</p>`;
}
