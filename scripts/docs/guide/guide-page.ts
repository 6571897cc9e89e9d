import { Html, html } from "../../../src/html.ts";
import { ICON, LOGO } from "../../../src/web/frame/logo.ts";
import { GUIDE } from "../../../src/web/guide/create-guide.ts";
import type { Heading } from "./render-markdown.ts";

/** The pages of the guide in groups, each with its path and title. */
export type Navigation = readonly { readonly title: string; readonly pages: readonly NavigationPage[] }[];

interface NavigationPage {
  readonly path: string;
  readonly title: string;
}

/** The pages before and after a page, in the order of reading. */
export interface Neighbors {
  readonly previous?: NavigationPage | undefined;
  readonly next?: NavigationPage | undefined;
}

interface GuidePageParts {
  /** The title of the window. */
  readonly title: string;
  readonly path: string;
  readonly content: Html;
  readonly headings: readonly Heading[];
  readonly navigation: Navigation;
  readonly neighbors?: Neighbors;
}

/** Renders a page in the layout. The page precedes the navigation, so that keyboard users reach it first. */
export function renderGuidePage(parts: GuidePageParts): string {
  const { title, path, content, headings, navigation, neighbors = {} } = parts;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Signet</title>
<link rel="icon" type="image/svg+xml" href="${ICON.address}">
<link rel="stylesheet" href="${GUIDE}/guide.css">
<script type="module" src="${GUIDE}/guide.js"></script>
</head>
<body>
<header>
<a class="brand" href="${GUIDE}">${LOGO}Signet<span class="wide">guide</span></a>
<search hidden>
<label class="spoken" for="search">Search the guide</label>
<input type="search" id="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-controls="results">
<p class="spoken" role="status" id="found"></p>
<ol id="results" hidden></ol>
</search>
<a class="menu" href="#pages">Pages</a>
</header>
<div class="layout">
<main>
${content}
${renderNeighbors(neighbors)}</main>
${renderNavigation({ path, headings, navigation })}
</div>
</body>
</html>
`.text;
}

function renderNeighbors({ previous, next }: Neighbors): Html | false {
  if (previous === undefined && next === undefined) return false;
  return html`<p class="turn">${previous && html`<a rel="prev" href="${previous.path}">Previous: ${previous.title}</a>`} ${
    next && html`<a rel="next" href="${next.path}">Next: ${next.title}</a>`
  }</p>\n`;
}

function renderNavigation({
  path,
  headings,
  navigation,
}: Pick<GuidePageParts, "path" | "headings" | "navigation">): Html {
  const isListed = navigation.some(({ pages }) => pages.some((page) => page.path === path));
  const contents = toContents(headings);
  return html`<nav id="pages" aria-label="Pages">
${!isListed && contents && html`<h2>On this page</h2>${contents}`}${navigation.map((group) => html`<h2>${group.title}</h2>\n<ul>\n${group.pages.map(toItem)}</ul>\n`)}
<h2>This instance</h2>
<ul>
<li><a href="/docs">API reference</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
</ul>
</nav>`;

  function toItem(page: NavigationPage): Html {
    const isCurrent = page.path === path;
    return html`<li><a href="${page.path}"${isCurrent && new Html(' aria-current="page"')}>${page.title}</a>${
      isCurrent && contents
    }</li>\n`;
  }
}

/** The sections of the current page. */
function toContents(headings: readonly Heading[]): Html | false {
  const sections = headings.filter(({ level }) => level === 2);
  if (sections.length === 0) return false;
  return html`\n<ul>\n${sections.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul>\n`;
}
