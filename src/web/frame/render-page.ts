import { type Html, html } from "../../messages/html.ts";
import type { Language } from "../../messages/languages.ts";
import { LOGO } from "./logo.ts";
import type { PageHeaders, PageResponse } from "./page.ts";
import { STYLESHEET } from "./stylesheet.ts";

/** The parts of a page in the common layout. */
export interface PageParts {
  readonly status?: number;
  readonly language: Language;
  /** The heading, and the title of the window. */
  readonly title: string;
  /** The content after the heading. */
  readonly content: Html;
  /** The icon next to the heading. */
  readonly icon?: keyof typeof ICONS;
  /** URL of the page's script, a module below `/ui/`. */
  readonly script?: string;
  readonly headers?: PageHeaders;
  /** Whether the form's response redirects to an application. Chrome blocks that if the policy restricts forms. */
  readonly leadsAway?: boolean;
}

/** An HTML page, with headers that forbid caching, framing, and loading anything from elsewhere. */
export function renderPage(parts: PageParts): PageResponse {
  const { status = 200, language, title, content, icon, script, headers, leadsAway = false } = parts;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Signet</title>
<link rel="stylesheet" href="${STYLESHEET.address}">
${script !== undefined && html`<script type="module" src="${script}"></script>`}
</head>
<body>
<main>
<p class="brand">${LOGO}Signet</p>
<h1${icon !== undefined && html` class="${icon}"`}>${icon !== undefined && ICONS[icon]}${title}</h1>
${content}
</main>
</body>
</html>
`;
  return { status, headers: { ...toHeaders(script !== undefined, leadsAway), ...headers }, body: page.text };
}

function toHeaders(hasScript: boolean, leadsAway: boolean): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    ...(leadsAway ? [] : ["form-action 'self'"]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    ...PRIVATE_HEADERS,
    // An application may have opened the page in a separate window, and needs its handle after the last redirect.
    ...(leadsAway && { "cross-origin-opener-policy": "unsafe-none" }),
  };
}

/** The headers of every page and every JSON response to its script. */
export const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "x-robots-tag": "noindex",
} as const;

/** Icons for headings. */
export const ICONS = {
  done: html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="m7 12.5 3.4 3.4L17 9"/></svg>`,
  problem: html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="M12 6.5v7M12 17v.5"/></svg>`,
};
