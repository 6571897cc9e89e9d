import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Facts } from "../../parts/screen.tsx";
import { CodeBlock, Copyable, SecretNote } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { useSession } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import type { Kind } from "./kinds.ts";
import { snippetsFor } from "./snippets/snippet.ts";

/** An application, with its secret if that is new. */
export interface AddedApp {
  readonly name: string;
  readonly kind: Kind;
  readonly clientId: string;
  /** Empty if it is not known, or the application has none. */
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** The endpoints of each kind of application, by their names in the discovery document. */
const ENDPOINTS: Readonly<Record<Kind, readonly string[]>> = {
  web: ["authorization", "token", "userinfo", "introspection", "end_session"],
  browser: ["authorization", "token", "userinfo", "end_session"],
  native: ["authorization", "token", "device_authorization", "userinfo", "end_session"],
  service: ["token", "introspection"],
};

/** What an application needs to know of the service, to copy. */
function ConnectionCard({ kind, clientId, clientSecret }: AddedApp) {
  const { issuer } = useSession().settings;
  const { apps } = texts.value;
  const discovery = `${issuer}/.well-known/openid-configuration`;
  const found = useLoad(`discovery ${issuer}`, async (signal): Promise<Record<string, unknown>> => {
    return await (await fetch(discovery, { signal })).json();
  });
  const urls = [...ENDPOINTS[kind].map((name) => `${name}_endpoint`), "jwks_uri"].flatMap((name) => {
    const url = found.value?.[name];
    return typeof url === "string" ? [[name, url] as const] : [];
  });
  return (
    <div class="panel">
      {clientSecret !== "" && <SecretNote label={apps.clientSecret} secret={clientSecret} />}
      <Facts
        facts={[
          [apps.issuer, <Copyable text={issuer} />],
          [apps.clientId, <Copyable text={clientId} />],
          [apps.discovery, <Copyable text={discovery} />],
          ...urls.map(([name, url]) => [<code key={name}>{name}</code>, <Copyable key={name} text={url} />] as const),
        ]}
      />
    </div>
  );
}

/** What the developer of an application needs: its values, and programs that sign users in with them. */
export function Connection({ app }: { app: AddedApp }) {
  const { issuer } = useSession().settings;
  const { apps } = texts.value;
  const [chosen, setChosen] = useState(0);
  const all = snippetsFor(app.kind, { issuer, ...app });
  const snippet = all[chosen] ?? all[0];
  const hasSecret = app.kind === "web" || app.kind === "service";
  return (
    <>
      <ConnectionCard {...app} />
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
