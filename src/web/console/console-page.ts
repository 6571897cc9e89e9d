import { CONSOLE_APP_ID } from "../../apps/console-app.ts";
import { html } from "../../html.ts";
import type { RawHeaders } from "../../http/exchange.ts";
import { ICON } from "../frame/logo.ts";

/**
 * Nothing from elsewhere, no inline script or style, no text that becomes code: the console creates no HTML from text
 * (Trusted Types).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  // The preview of the sign-in page.
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export const CONSOLE_HEADERS: RawHeaders = [
  "content-security-policy",
  POLICY,
  "referrer-policy",
  "no-referrer",
  "cross-origin-opener-policy",
  "same-origin",
  "x-robots-tag",
  "noindex",
];

interface ConsoleAssets {
  readonly script: string;
  readonly style: string;
  /** The files that the script imports. */
  readonly parts: readonly string[];
}

/** The page of the console, which is the same at all of its URLs. */
export function renderConsolePage(publicUrl: string, assets: ConsoleAssets) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="signet-issuer" content="${publicUrl}">
<meta name="signet-client-id" content="${CONSOLE_APP_ID}">
<title>Signet</title>
<link rel="icon" type="image/svg+xml" href="${ICON.address}">
<link rel="stylesheet" href="${assets.style}">
${assets.parts.map((part) => html`<link rel="modulepreload" href="${part}">\n`)}<script type="module" src="${assets.script}"></script>
</head>
<body>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`.text;
}
