import { countDrawn } from "../../src/branding/count-drawn.ts";
import { sanitizeSvg } from "../../src/branding/sanitize-svg.ts";

const NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const NOT_SVG = { problem: "must be an SVG file with one <svg>" };

/** The inside of a sanitized file. */
function sanitize(inside: string, root = NS): string {
  const svg = sanitizeSvg(Buffer.from(`<svg ${root}>${inside}</svg>`));
  if ("problem" in svg) throw new Error(svg.problem);
  const [, kept] = /^<svg [^>]*>(.*)<\/svg>$/s.exec(svg.data.toString()) ?? [];
  if (kept === undefined) throw new Error(`the file was changed to ${svg.data}`);
  return kept;
}

test("a logo is kept as it is", () => {
  const logo = [
    `<svg ${NS} viewBox="0 0 120 40" width="120" height="40">`,
    "<title>Acme &amp; Sons</title>",
    '<defs><linearGradient id="a" gradientTransform="rotate(45)"><stop offset="0" stop-color="#0f766e"></stop>',
    '<stop offset="1" style="stop-color:rgb(1, 2, 3);stop-opacity:.5"></stop></linearGradient>',
    '<clipPath id="b"><path d="M0 0h120v40H0z"></path></clipPath></defs>',
    '<g clip-path="url(#b)" transform="translate(1, 2)" style="mix-blend-mode:multiply;isolation:isolate">',
    '<path d="M4 4l8 8" fill="url(#a)" stroke="#fff" stroke-width="2"></path><use xlink:href="#b"></use>',
    '<text x="4" y="8" font-family="Inter, sans-serif">Ac<tspan dy="1">me</tspan></text></g></svg>',
  ].join("\n");
  expect(sanitizeSvg(Buffer.from(logo))).toEqual({ data: Buffer.from(logo) });
});

test("what surrounds the root, comments, metadata and unknown elements and attributes are dropped", () => {
  const file = [
    '\ufeff<?xml version="1.0" encoding="UTF-8"?><?xml-stylesheet href="https://example.com/a.css"?>',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "https://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [',
    '<!ENTITY ns "http://www.w3.org/2000/svg">]>',
    '<svg xmlns="&ns;" xmlns:i="https://example.com/i" viewBox="0 0 1 1" inkscape:version="1"><!-- a <b> -->',
    "<metadata><rdf:RDF>a place</rdf:RDF></metadata><switch><foreignObject><i:pgf>AAAA</i:pgf></foreignObject>",
    '<g i:extraneous="self" class="x"><path d="M0 0"/></g></switch></svg><!-- end -->',
  ].join("\n");
  const kept = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" xmlns:xlink="http://www.w3.org/1999/xlink">
<g><path d="M0 0"></path></g></svg>`;
  expect(sanitizeSvg(Buffer.from(file))).toEqual({ data: Buffer.from(kept) });
});

test.each([
  ["a script", "<script>alert(1)</script>", ""],
  ["a script in CDATA", "<script><![CDATA[alert(1)]]></script>", ""],
  ["a script of another namespace", '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>', ""],
  ["a script in capitals", "<SCRIPT>alert(1)</SCRIPT>", ""],
  ["a script that is closed in a title", "<title></title><script>alert(1)</script>", "<title></title>"],
  [
    "a script as text",
    "<title>&lt;script>alert(1)&lt;/script></title>",
    "<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>",
  ],
  ["an event handler", '<g onload="alert(1)" oNcLiCk="alert(1)"></g>', "<g></g>"],
  ["an event handler in a name", '<g a/onload="alert(1)"></g>', "<g></g>"],
  [
    "an attribute that ends early",
    `<g id='"><script>alert</script>'></g>`,
    '<g id="&quot;&gt;&lt;script&gt;alert&lt;/script&gt;"></g>',
  ],
  [
    "HTML",
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="x"/><g/></body></foreignObject>',
    "",
  ],
  ["HTML in SVG", '<g xmlns="http://www.w3.org/1999/xhtml"><iframe src="https://example.com"></iframe></g>', "<g></g>"],
  ["a frame", '<iframe src="javascript:alert(1)"></iframe><embed src="x"/><object data="x"/>', ""],
  ["a link", '<a href="javascript:alert(1)"><path d="M0 0"></path></a>', '<path d="M0 0"></path>'],
  ["an element of another file", '<use href="https://example.com/a.svg#a"></use>', "<use></use>"],
  ["an element of another file, by its path", '<use xlink:href="/a.svg#a"></use>', "<use></use>"],
  ["data", '<use href="data:image/svg+xml,&lt;svg/>#a"></use>', "<use></use>"],
  ["a filter with another file", '<filter><feImage href="https://example.com/a.png"/></filter>', "<filter></filter>"],
  ["an animation of a link", '<animate attributeName="href" values="javascript:alert(1)"/>', ""],
  ["a setting", '<set attributeName="onload" to="alert(1)"/>', ""],
  ["a handler", '<handler type="text/javascript">alert(1)</handler><listener event="load"/>', ""],
  ["a fill of another file", '<path fill="url(https://example.com/a.svg#a)"></path>', "<path></path>"],
  ["a fill of another file, quoted", `<path fill="url('//example.com/a')"></path>`, "<path></path>"],
  ["a fill of another file, escaped", '<path fill="\\75rl(https://example.com)"></path>', "<path></path>"],
  [
    "a style of another file",
    '<g style="fill:red;background:url(https://example.com/a)"></g>',
    '<g style="fill:red"></g>',
  ],
  ["a style with functions", '<g style="fill:image-set(&quot;a.png&quot; 1x);cursor:url(#a)"></g>', "<g></g>"],
  ["a style with a rule", '<g style="@import url(https://example.com/a.css)"></g>', "<g></g>"],
  ["a style that ends early", '<g style="fill:red} svg {background:url(x)"></g>', '<g style="fill:red"></g>'],
  ["a processing instruction", '<?xml-stylesheet href="https://example.com/a.css"?><g></g>', "<g></g>"],
])("%s is removed", (_, inside, kept) => {
  expect(sanitize(inside)).toBe(kept);
});

test.each([
  ["<style>@import url(https://example.com/a.css)</style>", /<style>/],
  ["<style>&lt;script>alert(1)&lt;/script></style>", /<style>/],
  ["<defs><style><![CDATA[path { fill: url(https://example.com/a) }]]></style></defs>", /<style>/],
  ['<image href="https://example.com/a.png"/>', /<image>/],
  ['<image href="data:text/html,&lt;script>alert(1)&lt;/script>"/>', /<image>/],
])("%s is refused", (inside, problem) => {
  expect(sanitizeSvg(Buffer.from(`<svg ${NS}>${inside}</svg>`))).toEqual({ problem: expect.stringMatching(problem) });
});

test.each([
  ["an HTML page", "<!doctype html><title>a</title><script>alert(1)</script>"],
  ["a prefixed root", '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:path d="M0 0"/></svg:svg>'],
  ["two roots", "<svg></svg><svg></svg>"],
  ["a root after another element", "<g></g><svg></svg>"],
  ["text", "<"],
  ["a control character", `<svg ${NS}><title>&#1;</title></svg>`],
])("%s is not an SVG file", (_, text) => {
  expect(sanitizeSvg(Buffer.from(text))).toEqual(NOT_SVG);
});

test("a file that is not UTF-8 is refused", () => {
  const file = Buffer.from(`<svg ${NS}><title>é</title></svg>`, "latin1");
  expect(sanitizeSvg(file)).toEqual({ problem: "must be an SVG file in UTF-8" });
});

test("entities neither expand nor load", () => {
  const entities = Array.from(
    { length: 10 },
    (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
  ).join("");
  const file = `<!DOCTYPE svg [<!ENTITY e0 "ha"><!ENTITY x SYSTEM "file:///etc/passwd">${entities}]><svg ${NS}><title>&e10;&x;</title></svg>`;
  expect(sanitizeSvg(Buffer.from(file))).toEqual({
    data: Buffer.from(`<svg ${NS}><title>&amp;e10;&amp;x;</title></svg>`),
  });
});

test("elements that refer to others draw at most 50,000 elements", () => {
  const laughs = (levels: number) =>
    Array.from(
      { length: levels },
      (_, level) => `<g id="l${level + 1}">${`<use href="#l${level}"></use>`.repeat(10)}</g>`,
    ).join("");
  const file = (levels: number) => Buffer.from(`<svg ${NS}><path id="l0" d="M0 0"></path>${laughs(levels)}</svg>`);
  expect(sanitizeSvg(file(3))).toHaveProperty("data");
  expect(sanitizeSvg(file(9))).toEqual({ problem: expect.stringMatching(/at most 50000 elements/) });
});

test.each([
  '<use id="a" href="#a"></use>',
  '<g id="a"><use href="#b"></use></g><g id="b"><path fill="url(#a)"></path></g>',
  '<mask id="a"><g mask="url(&quot;#a&quot;)"></g></mask>',
  '<pattern id="a"><rect style="fill:url(#a)"></rect></pattern>',
])("%s refers to itself", (inside) => {
  expect(sanitizeSvg(Buffer.from(`<svg ${NS}>${inside}</svg>`))).toEqual({ problem: expect.stringMatching(/itself/) });
});

test("an element is counted once more for each reference to it", () => {
  const leaf = { name: "path", attributes: { id: "a" }, children: [] };
  const use = { name: "use", attributes: { href: "#a", fill: "url(#missing)" }, children: [] };
  expect(countDrawn({ name: "svg", attributes: {}, children: [leaf, use, use] })).toBe(6);
});

test("deep nesting is refused before it is parsed", () => {
  const deep = "<g>".repeat(49) + "</g>".repeat(49);
  expect(sanitize(deep)).toBe(deep);
  const problem = "must not be nested more than 50 levels deep";
  expect(sanitizeSvg(Buffer.from(`<svg ${NS}>${"<g>".repeat(170_000)}`))).toEqual({ problem });
});

test("a long chain of references is refused", () => {
  const chain = Array.from({ length: 5_000 }, (_, index) => `<use id="a${index}" href="#a${index + 1}"></use>`).join(
    "",
  );
  expect(sanitizeSvg(Buffer.from(`<svg ${NS}>${chain}</svg>`))).toEqual({ problem: expect.stringMatching(/at most/) });
});

test("a file that would be too long afterwards is refused", () => {
  const text = `<svg ${NS}><title>${">".repeat(400_000)}</title></svg>`;
  expect(sanitizeSvg(Buffer.from(text))).toEqual({ problem: expect.stringMatching(/^must be at most 512000 bytes/) });
});
