import MarkdownIt, { type Token } from "markdown-it";
import { resolveLink, toGuidePath } from "./guide-paths.ts";

/** A page as HTML, with its data for the layout and the search. */
export interface RenderedPage {
  /** The text of the first heading. */
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  /** Repository files that the page shows or links to. */
  readonly links: ReadonlySet<string>;
}

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

/** A heading with the text up to the next one, without code blocks. */
interface Section {
  readonly title: string;
  /** Empty for the first heading of the page. */
  readonly anchor: string;
  readonly text: string;
}

const markdown = new MarkdownIt({ html: true });

/**
 * Replaces `style` attributes, which markdown-it writes for aligned columns, because the Content-Security-Policy
 * forbids them.
 */
for (const cell of ["td_open", "th_open"]) {
  markdown.renderer.rules[cell] = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    if (token?.attrGet("style") === "text-align:right") token.attrs = [["class", "right"]];
    return self.renderToken(tokens, index, options);
  };
}
// An empty header cell becomes a data cell, because it labels no column.
markdown.core.ruler.push("empty_headers", ({ tokens }) => {
  tokens.forEach((token, index) => {
    const [content, close] = [tokens[index + 1], tokens[index + 2]];
    if (token.type !== "th_open" || content?.content !== "" || close === undefined) return;
    [token.type, token.tag] = ["td_open", "td"];
    [close.type, close.tag] = ["td_close", "td"];
  });
});
// Wide tables and code blocks are scrollable, including with the keyboard.
markdown.renderer.rules.table_open = () => '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>\n';
markdown.renderer.rules.table_close = () => "</table></div>\n";
markdown.renderer.rules.fence = (tokens, index) =>
  `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[index]?.content ?? "")}</code></pre>\n`;
markdown.renderer.rules.heading_close = (tokens, index) => {
  const { tag = "", meta } = tokens[index] ?? {};
  if (tag === "h1") return "</h1>\n";
  return ` <a class="anchor" href="#${meta?.id}" aria-hidden="true" tabindex="-1">#</a></${tag}>\n`;
};
// Drops comments, which mark code blocks that are repository files.
markdown.renderer.rules.html_block = (tokens, index) => (tokens[index]?.content ?? "").replace(/<!--.*?-->/gs, "");

/**
 * Renders a page of the repository.
 *
 * @param file Path of the page, relative to the root of the repository.
 * @throws Error for a link that leaves the repository.
 */
export function renderMarkdown(file: string, text: string): RenderedPage {
  const tokens = markdown.parse(text, {});
  const headings = nameHeadings(tokens);
  const links = new Set<string>();
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === "link_open") rewrite(token, "href");
    if (token.type === "image") {
      rewrite(token, "src");
      token.attrSet("loading", "lazy");
    }
  }

  function rewrite(token: Token, attribute: string): void {
    const link = resolveLink(file, String(token.attrGet(attribute) ?? ""));
    if (link === undefined) return;
    if (link.file !== file) links.add(link.file);
    token.attrSet(attribute, link.file === file ? link.anchor : toGuidePath(link.file) + link.anchor);
  }

  return {
    title: headings[0]?.text ?? file,
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings,
    sections: toSections(tokens),
    links,
  };
}

/** Gives headings the ids that git hosts generate. */
function nameHeadings(tokens: readonly Token[]): Heading[] {
  const headings: Heading[] = [];
  const counts = new Map<string, number>();
  tokens.forEach((token, index) => {
    if (token.type !== "heading_open") return;
    const text = toText(tokens[index + 1]);
    const slug = toSlug(text);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    const id = count === 0 ? slug : `${slug}-${count}`;
    token.attrSet("id", id);
    const close = tokens[index + 2];
    if (close) close.meta = { id };
    headings.push({ level: Number(token.tag.slice(1)), text, id });
  });
  return headings;
}

function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
}

function toSections(tokens: readonly Token[]): Section[] {
  const sections: { title: string; anchor: string; texts: string[] }[] = [];
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") {
      const anchor = sections.length === 0 ? "" : `#${token.attrGet("id")}`;
      sections.push({ title: toText(tokens[index + 1]), anchor, texts: [] });
    } else if (token.type === "inline" && tokens[index - 1]?.type !== "heading_open") {
      sections.at(-1)?.texts.push(toText(token));
    }
  });
  return sections.map(({ title, anchor, texts }) => ({ title, anchor, text: texts.filter(Boolean).join(" ") }));
}

/** The visible text. */
function toText(token: Token | undefined): string {
  const shown = (token?.children ?? []).map(({ type, content }) => {
    if (type === "text" || type === "code_inline") return content;
    return type === "softbreak" ? " " : "";
  });
  return shown.join("");
}
