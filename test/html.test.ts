import { Html, html } from "../src/html.ts";

test("inserted text is escaped, in elements and in attributes", () => {
  expect(html`<p title="${`"a" 'b'`}">${"<script>&amp;"}</p>`.text).toBe(
    '<p title="&quot;a&quot; &#39;b&#39;">&lt;script&gt;&amp;amp;</p>',
  );
});

test("inserted HTML is unchanged", () => {
  expect(html`<p>${html`<b>${"<"}</b>`}${new Html("<i>")}</p>`.text).toBe("<p><b>&lt;</b><i></p>");
});

test("lists are joined, and each of their texts is escaped", () => {
  expect(html`<ul>${["<", html`<li>`, ["&", [3]]]}</ul>`.text).toBe("<ul>&lt;<li>&amp;3</ul>");
});

test("numbers are inserted, and empty values leave nothing", () => {
  expect(html`${0}|${1.5}|${false}|${null}|${undefined}|${""}|${[]}`.text).toBe("0|1.5|||||");
});

test("an object with the shape of Html is not inserted as HTML", () => {
  const fake = JSON.parse('{"text": "<script>"}');
  expect(() => html`${fake}`.text).toThrow();
});

test("an inserted dollar sign or backslash changes nothing around it", () => {
  expect(html`<p>${"$& $1 $` \\n"}</p>`.text).toBe("<p>$&amp; $1 $` \\n</p>");
});
