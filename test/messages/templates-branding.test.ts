import { readFileSync } from "node:fs";
import { BUILT_IN_LABEL } from "../../src/branding/label-settings.ts";
import { renderEmail } from "../../src/messages/templates/render.ts";

const READER = { displayName: "Ada Lovelace", language: "en", recipient: "ada@example.com" };
const EMAIL = { kind: "password", link: "https://id.example.com/ui/password?code=x", isVerified: true } as const;

function render(settings: Partial<typeof BUILT_IN_LABEL>) {
  return renderEmail({ ...READER, ...EMAIL, label: { ...BUILT_IN_LABEL, ...settings } });
}

test("an email without branding is as before", () => {
  const { html, text } = renderEmail({ ...READER, ...EMAIL });
  expect(render({})).toMatchObject({ html, text });
  expect(text).toMatch(/^Hello Ada Lovelace,\n/);
});

test("the button of an email without branding has the colors of the buttons of pages", () => {
  const style = readFileSync("src/web/frame/base.css", "utf8");
  const colorsOf = (name: string) => [...style.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, "g"))];
  const [accents, texts] = [colorsOf("accent"), colorsOf("on-accent")];
  expect([accents.length, texts.length]).toEqual([2, 2]);
  const { html } = render({});
  expect(html).toContain(`background-color: ${accents[0]?.[1]}; color: ${texts[0]?.[1]}`);
  expect(html).toContain(`background-color: ${accents[1]?.[1]} !important; color: ${texts[1]?.[1]} !important`);
});

test("an email begins with the name, and ends with the links", () => {
  const { text, html } = render({
    name: "Acme & Sons",
    supportAddress: "help@example.com",
    termsUrl: "https://example.com/terms?a&b",
    privacyUrl: "https://example.com/privacy",
  });
  expect(text).toMatch(/^Acme & Sons\n\nHello Ada Lovelace,\n/);
  expect(text).toMatch(
    /\n\nHelp: help@example\.com\nTerms of service: https:\/\/example\.com\/terms\?a&b\nPrivacy policy: https:\/\/example\.com\/privacy\n$/,
  );
  expect(html).toContain('font-weight: 600">Acme &amp; Sons</p>');
  expect(html).toContain('<a href="mailto:help@example.com"');
  expect(html).toContain('<a href="https://example.com/terms?a&amp;b"');
  expect(html).not.toContain("<img");
});

test("the button has the color of the branding, on light and dark", () => {
  const { html } = render({ primaryColor: "#0f766e", primaryColorDark: "#5eead4" });
  expect(html).toContain("background-color: #0f766e; color: #ffffff");
  expect(html).toContain("background-color: #5eead4 !important; color: #000000 !important");
});

test.each(["evil.example", "www.evil", "Call 0791234567", "a\u202eb"])(
  "a name that a mail client could turn into a link is left out: %j",
  (name) => {
    const { html, text } = render({ name });
    expect([html, text].join()).not.toContain(name);
    expect(text).toMatch(/^Hello /);
  },
);
