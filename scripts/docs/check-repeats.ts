/**
 * Checks that nothing stands twice in the pages that are written by hand: `node scripts/docs/check-repeats.ts`. Prints every run of
 * 12 words that two places share, and exits with 1 if there is one. Pages in `docs/reference` are generated, so that a
 * repetition of what they say counts as one, too.
 */
import { globSync, readFileSync } from "node:fs";

const WORDS = 12;

/** What may stand twice, in lower case and without punctuation, and why. */
const ALLOWED: readonly { readonly words: string; readonly why: string }[] = [
  {
    words: "run the commands in the root of this repository while the service from the quick start is running",
    why: "each guide is read alone",
  },
  {
    words: "create the first token which create_admin_token false leaves to you and call signet with it",
    why: "Compose and Kubernetes are alternatives",
  },
  { words: "to enter the console open the link that makes the first administrator", why: "the same" },
  {
    words: "4 to call an api of your own add its identifier as resource and its scopes",
    why: "a page in the browser and a mobile app are alternatives",
  },
  { words: "open the address that this prints the sign in page says sign in to orders", why: "the same" },
  {
    words: "google microsoft apple github gitlab openid connect oauth 2 0 and saml 2 0",
    why: "the README and the changelog list the kinds of providers",
  },
  {
    words: "locks the row decides by its latest version and writes row events",
    why: "two decisions about the same steps",
  },
];

interface Place {
  readonly page: string;
  readonly block: number;
}

const generated = globSync("docs/reference/*.md");
const written = ["README.md", "CHANGELOG.md", ...globSync("docs/**/*.md").filter((page) => !generated.includes(page))];
const firstPlaces = new Map<string, Place>();
const used = new Set<string>();
const problems: string[] = [];

for (const page of generated) for (const words of readBlocks(page)) remember(page, -1, words);
for (const page of written.toSorted()) {
  for (const [block, words] of readBlocks(page).entries()) {
    for (const run of findRepeats(words)) report(page, run);
    remember(page, block, words);
  }
}
for (const { words } of ALLOWED) {
  if (!used.has(words)) problems.push(`scripts/docs/check-repeats.ts: nothing repeats "${words}"`);
}
if (problems.length === 0) console.log(`${written.length} pages say nothing twice, with ${ALLOWED.length} exceptions`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** The words of each paragraph, list item, row and heading, without code blocks and the targets of links. */
function readBlocks(page: string): string[][] {
  const text = readFileSync(page, "utf8").replace(/^ *```[\s\S]*?^ *```/gm, "\n\n");
  const blocks = text.replaceAll(/\]\([^)]*\)/g, "]").split(/\n\s*\n|\n\||\n(?= *(?:- |\d+\. |#))/);
  return blocks.map((block) => block.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
}

function toShingles(words: readonly string[]): string[] {
  return words.slice(WORDS - 1).map((_, index) => words.slice(index, index + WORDS).join(" "));
}

function remember(page: string, block: number, words: readonly string[]): void {
  for (const shingle of toShingles(words)) if (!firstPlaces.has(shingle)) firstPlaces.set(shingle, { page, block });
}

/** The longest runs of words that have been seen, each with its first place. */
function findRepeats(words: readonly string[]): { readonly text: string; readonly place: Place }[] {
  const runs: { text: string; place: Place }[] = [];
  let previous = -2;
  for (const [index, shingle] of toShingles(words).entries()) {
    const place = firstPlaces.get(shingle);
    if (place === undefined) continue;
    const last = runs.at(-1);
    if (last !== undefined && index === previous + 1) last.text += ` ${words[index + WORDS - 1]}`;
    else runs.push({ text: shingle, place });
    previous = index;
  }
  return runs;
}

function report(page: string, { text, place }: { readonly text: string; readonly place: Place }): void {
  const allowed = ALLOWED.find(({ words }) => words.includes(text) || text.includes(words));
  if (allowed === undefined) problems.push(`${page} and ${place.page}: ${text}`);
  else used.add(allowed.words);
}
