/**
 * Prints how far a new user is from the answers to twenty questions, for test/web/guide/README.md: `node
 * scripts/docs/measure-questions.ts`. Clicks are links from the start page of the guide; words are those from where the last
 * link leads to the end of the answer.
 */
import { type BuiltFile, buildGuide } from "./guide/build-guide.ts";

/** A question, the page with the answer, and words with which the answer ends. */
const QUESTIONS: readonly (readonly [question: string, page: string, answer: string])[] = [
  ["How do I start it?", "start", "npm start"],
  ["How do I become the administrator?", "console", "npx signet admin link"],
  ["How do I move users from Auth0?", "moving/auth0", "--from auth0"],
  ["Do users keep their passwords?", "moving/auth0", "keep their passwords"],
  ["How do I keep both systems in step?", "moving", "--update"],
  ["How do I undo an import?", "moving", "signet users undo"],
  ["How do I move out?", "moving", "signet users export"],
  ["How do users sign in from React?", "guides/browser-app", "signinRedirect"],
  ["How do users sign in from Next.js?", "guides/nextjs", "signet app create"],
  ["How do users sign in with Google?", "providers/google", "OAuth client ID"],
  ["How do I protect an Express API?", "guides/protect-an-api", "examples/express/api.js"],
  ["How do I protect an MCP server?", "guides/mcp-server", "signet api add"],
  ["How does one service call another?", "guides/service-to-service", "--type service"],
  ["How does each customer get an organization?", "guides/customers", "orgs/_setup"],
  ["How do I require a second factor?", "sign-in", "With forceMfa"],
  ["How do I show our logo?", "branding", "UploadCustomLabelPolicyImage"],
  ["How do I send emails?", "configuration", "export SMTP_URL"],
  ["How do I run it with Compose?", "guides/compose", "up --build --detach --wait"],
  ["How do I back it up?", "guides/backups", "pg_dump --format=custom"],
  ["How do I update it without downtime?", "guides/update", "replace them one by one"],
];

const START = "/docs/guide";
const pages = new Map(buildGuide(process.cwd()).map(({ path, text = "" }: BuiltFile) => [path, text]));
const hrefs = new Map([...pages].map(([path, text]) => [path, linksOf(path, text)]));
const clicks = new Map([[START, 0]]);
for (const path of clicks.keys()) {
  for (const { target } of hrefs.get(path) ?? []) {
    if (pages.has(target) && !clicks.has(target)) clicks.set(target, (clicks.get(path) ?? 0) + 1);
  }
}
console.log("| question | answer | clicks | words |\n|---|---|--:|--:|");
for (const [question, name, answer] of QUESTIONS) {
  const path = `${START}/${name}`;
  const distance = clicks.get(path) ?? Number.NaN;
  const before = [...hrefs].filter(([from]) => clicks.get(from) === distance - 1).flatMap(([, links]) => links);
  const anchors = new Set(before.filter(({ target }) => target === path).map(({ anchor }) => anchor));
  const words = Math.min(...[...anchors].map((anchor) => wordsUntil(pages.get(path) ?? "", anchor, answer)));
  console.log(`| ${question} | ${name} | ${distance} | ${words} |`);
}

function linksOf(path: string, text: string) {
  return [...text.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = ""]) => {
    const [target = "", anchor = ""] = href.split("#", 2);
    return { target: target === "" ? path : target, anchor };
  });
}

/** Infinite if the answer does not follow the anchor. */
function wordsUntil(page: string, anchor: string, answer: string): number {
  const main = page.slice(page.indexOf("<main>"), page.indexOf("</main>"));
  const start = anchor === "" ? 0 : main.indexOf(` id="${anchor}"`);
  if (start < 0) return Number.POSITIVE_INFINITY;
  const text = main.slice(main.indexOf(">", start) + 1).replaceAll(/<[^>]+>/g, "");
  const end = text.indexOf(answer);
  return end < 0 ? Number.POSITIVE_INFINITY : (text.slice(0, end + answer.length).match(/\S+/g) ?? []).length;
}
