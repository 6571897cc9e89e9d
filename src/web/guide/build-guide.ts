import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { Html, html } from "../../html.ts";
import { BASE_STYLE } from "../frame/stylesheet.ts";
import { type Navigation, renderGuidePage } from "./guide-page.ts";
import { GUIDE, NOT_FOUND, toGuidePath } from "./guide-paths.ts";
import { type RenderedPage, renderMarkdown } from "./render-markdown.ts";

/** One file of the guide. */
export interface GuideFile {
  /** Below `/docs/guide`. */
  readonly path: string;
  /** The content type. */
  readonly type: string;
  /** The text, or the absolute path of the file that contains it. */
  readonly body: { readonly text: string } | { readonly file: string };
  /** The source file in the repository. */
  readonly source?: string;
}

/** The order of the pages. Further pages of `docs` are appended to the last group. */
const GROUPS: readonly { readonly title: string; readonly files: readonly string[] }[] = [
  { title: "Begin", files: ["docs/README.md", "README.md"] },
  {
    title: "Use it",
    files: [
      "docs/guides.md",
      "docs/api.md",
      "docs/clients.md",
      "docs/sign-in.md",
      "docs/providers.md",
      "docs/console.md",
      "docs/keycloak.md",
      "docs/events.md",
    ],
  },
  {
    title: "Run it",
    files: [
      "docs/configuration.md",
      "docs/operate.md",
      "docs/scale.md",
      "docs/backups.md",
      "docs/security.md",
      "docs/performance.md",
    ],
  },
  { title: "What users see", files: ["docs/pages.md", "docs/messages.md"] },
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
 * @throws Error for a link to a file that does not exist.
 */
export function buildGuide(root: string): GuideFile[] {
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const groups = groupPages(readdirSync(join(root, "docs")));
  const pages = new Map<string, RenderedPage>();
  const others = new Set<string>();
  const waiting = groups.flatMap(({ files }) => files);
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
  const navigation = groups.map(({ title, files }) => ({
    title,
    pages: files.map((file) => ({ path: toGuidePath(file), title: TITLES[file] ?? pages.get(file)?.title ?? file })),
  }));
  return [
    ...[...pages].map(([file, page]) => toPage(file, page, navigation)),
    ...[...others].map((file) => toOther(file, navigation)),
    { path: `${GUIDE}/search.json`, type: "application/json", body: { text: JSON.stringify(toSearch(pages)) } },
    ...createAssets(),
    createNotFound(navigation),
  ];

  function toOther(source: string, navigation: Navigation): GuideFile {
    const path = toGuidePath(source);
    const type = IMAGES[extname(source)];
    if (type !== undefined) return { path, type, body: { file: join(root, source) }, source };
    const content = html`<h1>${source}</h1>\n<pre tabindex="0"><code>${read(source)}</code></pre>`;
    const text = renderGuidePage({ title: source, path, content, headings: [], navigation });
    return { path, type: HTML, body: { text }, source };
  }
}

/** @param files The names of the files in `docs`. */
function groupPages(files: readonly string[]): { title: string; files: string[] }[] {
  const known = GROUPS.flatMap((group) => group.files);
  const further = files.map((file) => `docs/${file}`).filter((file) => file.endsWith(".md") && !known.includes(file));
  return GROUPS.map((group, index) => ({
    title: group.title,
    files: [...group.files, ...(index === GROUPS.length - 1 ? further.sort() : [])],
  }));
}

function toPage(source: string, page: RenderedPage, navigation: Navigation): GuideFile {
  const path = toGuidePath(source);
  const { title, headings } = page;
  const text = renderGuidePage({ title, path, content: new Html(page.html), headings, navigation });
  return { path, type: HTML, body: { text }, source };
}

/** The data for the search in the browser: one entry per section. */
function toSearch(pages: ReadonlyMap<string, RenderedPage>): object[] {
  return [...pages].flatMap(([file, page]) =>
    page.sections.map(({ title, anchor, text }, index) => ({
      id: `${file} ${index}`,
      path: toGuidePath(file) + anchor,
      page: page.title,
      title,
      text,
    })),
  );
}

function createAssets(): GuideFile[] {
  const script = "text/javascript; charset=utf-8";
  const require = createRequire(import.meta.url);
  const own = (name: string) => join(import.meta.dirname, name);
  const style = BASE_STYLE + readFileSync(own("guide.css"), "utf8");
  return [
    { path: `${GUIDE}/guide.css`, type: "text/css; charset=utf-8", body: { text: style } },
    { path: `${GUIDE}/guide.js`, type: script, body: { file: own("guide.js") } },
    {
      path: `${GUIDE}/minisearch.js`,
      type: script,
      // The ES module is next to the CommonJS one, which `require` resolves to.
      body: { file: join(require.resolve("minisearch"), "../../es/index.js") },
    },
  ];
}

function createNotFound(navigation: Navigation): GuideFile {
  const content = html`<h1>No such page</h1>\n<p>The guide has no page at this address.</p>`;
  const text = renderGuidePage({ title: "No such page", path: NOT_FOUND, content, headings: [], navigation });
  return { path: NOT_FOUND, type: HTML, body: { text } };
}
