import { toGuidePath } from "../../scripts/docs/guide/guide-paths.ts";
import { renderMarkdown } from "../../scripts/docs/guide/render-markdown.ts";

test.each([
  ["docs/README.md", "/docs/guide"],
  ["README.md", "/docs/guide/start"],
  ["CHANGELOG.md", "/docs/guide/changelog"],
  ["docs/api.md", "/docs/guide/api"],
  ["docs/images/page.png", "/docs/guide/images/page.png"],
  ["clients/typescript/README.md", "/docs/guide/clients/typescript"],
  ["examples/grpc.js", "/docs/guide/examples/grpc.js"],
])("%s is at %s", (file, path) => {
  expect(toGuidePath(file)).toBe(path);
});

test("relative links and images point to the guide, and others are unchanged", () => {
  const text = "[a](api.md#errors) [b](../README.md) [c](#here) [d](https://example.com/x.md) ![e](images/e.png)";
  const { html, links } = renderMarkdown("docs/events.md", text);
  expect(html.match(/(?:href|src)="[^"]*"/g)).toEqual([
    'href="/docs/guide/api#errors"',
    'href="/docs/guide/start"',
    'href="#here"',
    'href="https://example.com/x.md"',
    'src="/docs/guide/images/e.png"',
  ]);
  expect([...links]).toEqual(["docs/api.md", "README.md", "docs/images/e.png"]);
});

test.each(["../../secret.md", "/etc/passwd"])("a link to %s leaves the repository and is an error", (target) => {
  expect(() => renderMarkdown("docs/events.md", `[a](${target})`)).toThrow("leaves the repository");
});

test("headings have the ids that git hosts generate, and the text up to the next one is a section of the search", () => {
  const text =
    "# The `API`, v1\n\nAll *calls*\nand `more`.\n\n## Errors\n\nText\n\n```sh\nhidden\n```\n\n## Errors\n\n| a | b |\n|---|--:|\n| c | 1 |\n";
  const { title, headings, sections, html } = renderMarkdown("docs/api.md", text);
  expect(title).toBe("The API, v1");
  expect(headings).toEqual([
    { level: 1, text: "The API, v1", id: "the-api-v1" },
    { level: 2, text: "Errors", id: "errors" },
    { level: 2, text: "Errors", id: "errors-1" },
  ]);
  expect(sections).toEqual([
    { title: "The API, v1", anchor: "", text: "All calls and more." },
    { title: "Errors", anchor: "#errors", text: "Text" },
    { title: "Errors", anchor: "#errors-1", text: "a b c 1" },
  ]);
  expect(html).toContain('<td class="right">1</td>');
  expect(html).not.toContain("style=");
});

test("a header cell without text is no header", () => {
  const { html } = renderMarkdown("docs/api.md", "| call | | |\n|---|---|--:|\n| a | b | c |\n");
  expect(html.match(/<t[hd]\b.*?>/g)).toEqual([
    "<th>",
    "<td>",
    '<td class="right">',
    "<td>",
    "<td>",
    '<td class="right">',
  ]);
});

test("code is escaped, and comments are removed", () => {
  const { html } = renderMarkdown("docs/api.md", "<!-- file: a -->\n```html\n<script>alert(1)</script>\n```\n");
  expect(html.trim()).toBe('<pre tabindex="0"><code>&lt;script&gt;alert(1)&lt;/script&gt;\n</code></pre>');
});
