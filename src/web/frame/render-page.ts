import { type Html, html } from "../../messages/html.ts";
import type { Language } from "../../messages/languages.ts";
import type { PageResponse } from "./page.ts";
import { STYLESHEET } from "./stylesheet.ts";

/** A page as it is put into the frame that all have. */
export interface PageParts {
  readonly status?: number;
  readonly language: Language;
  /** The heading, and the name of the window. */
  readonly title: string;
  /** What stands below the heading. */
  readonly content: Html;
  /** A sign beside the heading: what was done worked, or did not. */
  readonly mood?: "done" | "problem";
  /** Address of a module below `/ui/` that the page runs. */
  readonly script?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page in HTML, with the headers that keep it to itself. */
export function renderPage({ status = 200, language, title, content, mood, script, headers }: PageParts): PageResponse {
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
<p class="brand">${SEAL}Signet</p>
<h1${mood !== undefined && html` class="${mood}"`}>${mood !== undefined && SIGNS[mood]}${title}</h1>
${content}
</main>
</body>
</html>
`;
  return { status, headers: { ...toHeaders(script !== undefined), ...headers }, body: page.text };
}

function toHeaders(hasScript: boolean): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    ...PRIVATE_HEADERS,
  };
}

/** What every answer has that is about one person; also those in JSON. */
export const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "x-robots-tag": "noindex",
} as const;

const SEAL = html`<svg class="seal" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="M15.6 8.9c-.7-1.2-2-1.9-3.6-1.9-2 0-3.6 1-3.6 2.6 0 3.6 7.4 1.6 7.4 5 0 1.5-1.6 2.4-3.7 2.4-1.9 0-3.3-.8-3.9-2.1"/></svg>`;

/** Signs beside a heading. */
export const SIGNS = {
  done: html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="m7 12.5 3.4 3.4L17 9"/></svg>`,
  problem: html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="M12 6.5v7M12 17v.5"/></svg>`,
};
