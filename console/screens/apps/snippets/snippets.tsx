import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { CodeBlock } from "../../../parts/values.tsx";
import { texts } from "../../../state/language.ts";
import { useSession } from "../../../state/session.ts";
import type { Kind } from "../kinds.ts";
import { snippetsFor } from "./snippet.ts";

/** A new application, with its secret. */
export interface AddedApp {
  readonly name: string;
  readonly kind: Kind;
  readonly clientId: string;
  /** Empty for an application that has none. */
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** Programs that sign users in to the application, with its own values. */
export function Snippets({ app }: { app: AddedApp }) {
  const { issuer } = useSession().settings;
  const { apps } = texts.value;
  const [chosen, setChosen] = useState(0);
  const all = snippetsFor(app.kind, { issuer, ...app });
  const snippet = all[chosen] ?? all[0];
  const hasSecret = app.kind === "web" || app.kind === "service";
  return (
    <>
      <fieldset class="tiles">
        <legend class="spoken">{apps.frameworks}</legend>
        {all.map(({ name, platform }, index) => (
          <button key={name} type="button" aria-pressed={index === chosen} onClick={() => setChosen(index)}>
            <strong>{name}</strong>
            <span class="small">{platform}</span>
          </button>
        ))}
      </fieldset>
      {hasSecret && <p class="hint">{apps.secretHint}</p>}
      {app.clientSecret && <CodeBlock name={apps.environment} text={`export CLIENT_SECRET=${app.clientSecret}\n`} />}
      {snippet?.files.map(({ name, text }) => (
        <CodeBlock key={name} name={name} text={text}>
          {highlight(name, text)}
        </CodeBlock>
      ))}
    </>
  );
}

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
function highlight(file: string, text: string): ComponentChildren {
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
