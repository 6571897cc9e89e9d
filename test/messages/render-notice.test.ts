import { renderNotice } from "../../src/messages/templates/render-notice.ts";
import type { Notice } from "../../src/texts/en/notices.ts";
import { LANGUAGES, TEXTS } from "../../src/texts/languages.ts";

const KINDS = Object.keys(TEXTS.en.messages.notices.kinds) as Notice[];
const ORG = "0198f3b2-7c1d-7e4a-9b60-3f2a1c5d8e90";
const LINK = `https://id.example.com/ui/account?org=${ORG}`;
const AT = new Date("2026-11-23T19:20:05Z");

function render(language: string, notice: Notice, options: { displayName?: string; isOwn?: boolean } = {}) {
  const { displayName = "Ada Lovelace", isOwn = true } = options;
  const by = isOwn ? { browser: "Firefox", system: "Windows" } : undefined;
  return renderNotice(
    { displayName, language, recipient: "ada@example.com" },
    { notice, at: AT, by, publicUrl: "https://id.example.com", orgId: ORG },
  );
}

/** The visible text of HTML. */
const toText = (html: string) =>
  html
    .slice(html.indexOf("<body"))
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");

describe.each(LANGUAGES)("in %s", (language) => {
  test.each(KINDS)("%s says where, when and from which browser, in text and HTML", (notice) => {
    const email = render(language, notice);
    const shown = ["id.example.com", "ada@example.com", "Firefox, Windows", "2026", "UTC", ":20:05"];
    for (const body of [email.text, toText(email.html)]) for (const part of shown) expect(body).toContain(part);
    expect(email.text.split("\n").filter((line) => line.length > 78 || line !== line.trim())).toEqual([]);
    expect(email.text).not.toMatch(/\n{3}/);
  });

  test("each kind has its own subject and sentence", () => {
    const emails = KINDS.map((notice) => render(language, notice));
    expect(new Set(emails.map(({ subject }) => subject)).size).toBe(KINDS.length);
    expect(new Set(emails.map(({ text }) => text.split("\n\n")[1])).size).toBe(KINDS.length);
  });

  test("the link opens the account page, unless the address has changed", () => {
    for (const notice of KINDS) {
      const { text, html } = render(language, notice);
      const hasLink = notice !== "email-changed";
      expect([text.includes(LINK), html.includes(`href="${LINK}"`)]).toEqual([hasLink, hasLink]);
    }
  });

  test("a change by someone else is named as such, without a browser", () => {
    const { text } = render(language, "phone-changed", { isOwn: false });
    expect(text.replaceAll("\n", " ")).toContain(TEXTS[language].messages.notices.byOther);
    expect(text).not.toContain("Firefox");
    expect(render(language, "phone-changed").text).not.toContain(TEXTS[language].messages.notices.byOther);
  });
});

test.each([
  ["en", "November 23, 2026 at 7:20:05 PM UTC"],
  ["de", "23. November 2026 um 19:20:05 UTC"],
  ["fr", "23 novembre 2026 à 19:20:05 UTC"],
  ["es", "23 de noviembre de 2026 a las 19:20:05 UTC"],
])("the time in %s is in the format of the language", (language, time) => {
  expect(render(language, "new-device").text.replace(/\s/g, " ")).toContain(time);
});

test("a name that could become a link is left out", () => {
  const { text, html } = render("en", "passkey-added", { displayName: "evil.example" });
  expect(text + html).not.toContain("evil.example");
});
