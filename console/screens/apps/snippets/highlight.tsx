import type { ComponentChildren } from "preact";

/** The words of the languages of the programs. */
const KEYWORDS = new Set(
  [
    "async await break case catch class const continue def default else except export extends finally for from func",
    "function if implements import in interface let new nil null None package private public raise return static struct",
    "throw throws try type undefined var void while with yield True False true false",
  ].flatMap((line) => line.split(" ")),
);

const TEXTS = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/;
const HASH_COMMENT = /(?<=^|\s)#.*/;
const SLASH_COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//;
/** Not within a name, such as `grant-type`. */
const WORD = /(?<![-.\w$@])[A-Za-z_$@][\w$]*/;

/** A program with its comments, texts and keywords in colors. */
export function highlight(file: string, text: string): ComponentChildren {
  const comment = /\.(?:js|go|java)$/.test(file) ? SLASH_COMMENT : HASH_COMMENT;
  const token = new RegExp(`(?<comment>${comment.source})|(?<string>${TEXTS.source})|(?<word>${WORD.source})`, "gm");
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: found, index, groups = {} } of text.matchAll(token)) {
    const kind = groups.comment ? "comment" : groups.string ? "string" : KEYWORDS.has(found) ? "keyword" : undefined;
    if (kind === undefined) continue;
    parts.push(
      text.slice(end, index),
      <span key={index} class={kind}>
        {found}
      </span>,
    );
    end = index + found.length;
  }
  return [...parts, text.slice(end)];
}
