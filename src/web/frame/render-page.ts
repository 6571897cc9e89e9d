import type { Label } from "../../branding/label-settings.ts";
import { type Html, html } from "../../html.ts";
import type { Language } from "../../texts/languages.ts";
import { builtInLanguage, type PageLanguage } from "../../texts/page-language.ts";
import { fillIn } from "../../texts/placeholders.ts";
import type { Asset } from "./asset.ts";
import { accentLink, brandFooter, brandHeader, iconLink, shownName } from "./brand.ts";
import type { PageHeaders, PageLayout, PagePreview, PageResponse } from "./page.ts";
import { STYLESHEET, STYLESHEETS } from "./stylesheet.ts";

/** The parts of a page in the common layout. */
export interface PageParts {
  readonly status?: number;
  readonly language: PageLanguage;
  /** The heading, and the title of the window. */
  readonly title: string;
  /** The content after the heading. */
  readonly content: Html;
  /** The icon next to the heading. */
  readonly icon?: keyof typeof ICONS;
  /** The scripts of the page. */
  readonly scripts?: readonly Asset[];
  /** Whether the page has lists, and takes more than the width of a form. */
  readonly isWide?: boolean;
  readonly headers?: PageHeaders;
  /** Without a problem of a form, the status is by default 200. */
  readonly problem?: Pick<SubmitProblem, "status" | "headers"> | undefined;
  /** Whether the form's response redirects to an application. Chrome blocks that if the policy restricts forms. */
  readonly leadsAway?: boolean;
}

/** What is wrong with a submitted form. */
export interface SubmitProblem {
  readonly text: string;
  /** By default 422. */
  readonly status?: number;
  readonly headers?: PageHeaders;
}

/** A page in the common layout, with headers that forbid caching, framing, and loading anything from elsewhere. */
export function renderPage(parts: PageParts): PageResponse & { readonly body: PageLayout } {
  const { scripts = [], headers, problem, leadsAway = false } = parts;
  return {
    status: statusOf(parts),
    headers: { ...toHeaders(scripts.length > 0, leadsAway), ...headers, ...problem?.headers },
    body: ({ label }, preview) => layOut(parts, label, preview).text,
  };
}

/**
 * A page whose texts are those of the branding in which it is laid out, for pages that may belong to no organization.
 *
 * @param write Returns the page in a language. Only texts depend on it.
 */
export function renderInBranding(
  tag: Language,
  write: (language: PageLanguage) => Omit<PageParts, "language">,
): PageResponse {
  const render = (language: PageLanguage) => renderPage({ ...write(language), language });
  return {
    ...render(builtInLanguage(tag)),
    body: (branding, preview) => render(branding.languageOf(tag)).body(branding, preview),
  };
}

function statusOf({ status, problem }: PageParts): number {
  return status ?? (problem === undefined ? 200 : (problem.status ?? 422));
}

/**
 * The HTML of a page. If the page reports an error, the title of the window says so first, because it is what screen
 * readers announce first.
 */
function layOut(parts: PageParts, label: Label, preview: PagePreview | undefined): Html {
  const { language, title, content, icon, scripts = [], isWide = false } = parts;
  const isError = statusOf(parts) >= 400 && icon !== "done";
  const name = shownName(label);
  const { address: style } = preview?.scheme === undefined ? STYLESHEET : STYLESHEETS[preview.scheme];
  const toShown = (part: Html | undefined) => (preview && part ? html`<div inert>${part}</div>` : part);
  return html`<!doctype html>
<html lang="${language.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${isError ? fillIn(language.texts.frame.errorTitle, { title }) : title}${name !== "" && ` · ${name}`}</title>
${iconLink(label)}
<link rel="stylesheet" href="${style}">
${accentLink(label)}
${preview === undefined && scripts.map(({ address }) => html`<script type="module" src="${address}"></script>\n`)}
</head>
<body${isWide && html` class="wide"`}>
<main>
${brandHeader(label)}
<h1${icon !== undefined && html` class="${icon}"`}>${icon !== undefined && ICONS[icon]}${title}</h1>
${toShown(content)}
</main>
${toShown(brandFooter(label, language))}
</body>
</html>
`;
}

function toHeaders(hasScript: boolean, leadsAway: boolean): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
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
