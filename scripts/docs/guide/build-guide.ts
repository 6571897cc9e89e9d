import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { Html, html } from "../../../src/html.ts";
import { GUIDE, type GuideFile, NOT_FOUND } from "../../../src/web/guide/create-guide.ts";
import { type Navigation, type Neighbors, renderGuidePage } from "./guide-page.ts";
import { toGuidePath } from "./guide-paths.ts";
import { type RenderedPage, renderMarkdown } from "./render-markdown.ts";

/** A file of the guide: a text, or an image of the repository. */
export interface BuiltFile extends GuideFile {
  readonly text?: string;
}

const TARGET = "gen/guide";

/** The order of the pages: every page of `docs` and `docs/guides` is in one group. */
const GROUPS: readonly { readonly title: string; readonly files: readonly string[] }[] = [
  { title: "Begin", files: ["docs/README.md", "README.md", "docs/guides.md"] },
  { title: "Move users", files: ["docs/moving.md", "docs/moving/auth0.md", "docs/moving/password-hook.md"] },
  {
    title: "Let users sign in",
    files: [
      "docs/guides/browser-app.md",
      "docs/guides/nextjs.md",
      "docs/guides/mobile-app.md",
      "docs/providers.md",
      "docs/scim.md",
      "docs/guides/customers.md",
      "docs/sign-in.md",
      "docs/keycloak.md",
      "docs/branding.md",
      "docs/pages.md",
      "docs/messages.md",
    ],
  },
  {
    title: "Protect APIs",
    files: ["docs/guides/protect-an-api.md", "docs/guides/mcp-server.md", "docs/guides/service-to-service.md"],
  },
  {
    title: "Call Signet",
    files: [
      "docs/console.md",
      "docs/api.md",
      "docs/reference/README.md",
      "docs/clients.md",
      "docs/events.md",
      "docs/webhooks.md",
      "docs/scim.md",
    ],
  },
  {
    title: "Run it",
    files: [
      "docs/deploy.md",
      "docs/guides/compose.md",
      "docs/guides/kubernetes.md",
      "docs/guides/failover.md",
      "docs/guides/backups.md",
      "docs/guides/update.md",
      "docs/configuration.md",
      "docs/operate.md",
      "docs/scale.md",
      "docs/backups.md",
      "docs/security.md",
      "docs/performance.md",
    ],
  },
  { title: "Background", files: ["docs/decisions.md", "CHANGELOG.md"] },
];

const TITLES: Readonly<Record<string, string>> = { "docs/README.md": "Overview", "README.md": "Start" };

const HTML = "text/html; charset=utf-8";
const IMAGES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
};

/**
 * Builds the guide from the Markdown pages of the repository and the files that they link to: pages and images as they
 * are, other files as pages that show their text.
 *
 * @param root The root of the repository.
 * @throws Error for a link to a file that does not exist, and for a page that is in no group.
 */
export function buildGuide(root: string): BuiltFile[] {
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const listed = GROUPS.flatMap(({ files }) => files);
  const forgotten = ["docs", "docs/guides"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith(".md") && !listed.includes(file));
  if (forgotten.length > 0) throw new Error(`no group of the guide has ${forgotten.join(", ")}`);
  const pages = new Map<string, RenderedPage>();
  const others = new Set<string>();
  const waiting = [...listed];
  for (const file of waiting) {
    if (pages.has(file) || others.has(file)) continue;
    if (!file.endsWith(".md")) {
      others.add(file);
      continue;
    }
    const page = renderMarkdown(file, read(file));
    pages.set(file, page);
    waiting.push(...page.links);
  }
  const toEntry = (file: string) => ({
    path: toGuidePath(file),
    title: TITLES[file] ?? pages.get(file)?.title ?? file,
  });
  const navigation = GROUPS.map(({ title, files }) => ({ title, pages: files.map(toEntry) }));
  const inOrder = orderPages(listed, [...pages.keys()]).map(toEntry);
  return [
    ...[...pages].map(([file, page]) => toPage(file, page, navigation, neighborsOf(file))),
    ...[...others].map((file) => toOther(file, navigation)),
    { path: `${GUIDE}/search.json`, type: "application/json", file: `${TARGET}/search.json`, text: toSearch(pages) },
    createNotFound(navigation),
  ];

  function neighborsOf(file: string): Neighbors {
    const at = inOrder.findIndex(({ path }) => path === toGuidePath(file));
    return at < 0 ? {} : { previous: inOrder[at - 1], next: inOrder[at + 1] };
  }

  function toOther(source: string, navigation: Navigation): BuiltFile {
    const path = toGuidePath(source);
    const type = IMAGES[extname(source)];
    if (type !== undefined) return { path, type, file: source };
    const content = html`<h1>${source}</h1>\n<pre tabindex="0"><code>${read(source)}</code></pre>`;
    return toHtml(path, renderGuidePage({ title: source, path, content, headings: [], navigation }));
  }
}

/** The order of reading: the listed pages, each followed by those of its folder, such as `docs/moving/okta.md` of `docs/moving.md`. */
function orderPages(listed: readonly string[], pages: readonly string[]): string[] {
  const others = pages.filter((file) => !listed.includes(file));
  const ordered = listed.flatMap((file) => [
    file,
    ...others.filter(
      (other) => [`${dirname(other)}.md`, `${dirname(other)}/README.md`].includes(file) && other !== file,
    ),
  ]);
  return [...new Set(ordered)];
}

function toPage(source: string, page: RenderedPage, navigation: Navigation, neighbors: Neighbors): BuiltFile {
  const path = toGuidePath(source);
  const { title, headings } = page;
  return toHtml(path, renderGuidePage({ title, path, content: new Html(page.html), headings, navigation, neighbors }));
}

function toHtml(path: string, text: string): BuiltFile {
  const name = path === GUIDE ? "index" : path.slice(GUIDE.length + 1);
  return { path, type: HTML, file: `${TARGET}/${name}.html`, text };
}

/** The data for the search in the browser: one entry per section, each on a line. */
function toSearch(pages: ReadonlyMap<string, RenderedPage>): string {
  const entries = [...pages].flatMap(([file, page]) =>
    page.sections.map(({ title, anchor, text }, index) => ({
      id: `${file} ${index}`,
      path: toGuidePath(file) + anchor,
      page: page.title,
      title,
      text,
    })),
  );
  return `[${entries.map((entry) => JSON.stringify(entry)).join(",\n")}]\n`;
}

function createNotFound(navigation: Navigation): BuiltFile {
  const content = html`<h1>No such page</h1>\n<p>The guide has no page at this address.</p>`;
  return toHtml(
    NOT_FOUND,
    renderGuidePage({ title: "No such page", path: NOT_FOUND, content, headings: [], navigation }),
  );
}
