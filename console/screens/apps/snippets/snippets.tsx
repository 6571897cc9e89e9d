import { useState } from "preact/hooks";
import { CodeBlock } from "../../../parts/code-block.tsx";
import { useSession } from "../../../state/context.ts";
import { texts } from "../../../state/language.ts";
import type { Kind } from "../kinds.ts";
import type { AddedApp } from "../new-app-form.tsx";
import { SNIPPETS } from "./all-snippets.ts";

/** Programs that sign users in to the application, with its own values. */
export function Snippets({ kind, app }: { kind: Kind; app: AddedApp }) {
  const { issuer } = useSession().settings;
  const { apps } = texts.value;
  const [chosen, setChosen] = useState(0);
  const all = SNIPPETS[kind].map((toSnippet) => toSnippet({ issuer, ...app }));
  const snippet = all[chosen] ?? all[0];
  const hasSecret = kind === "web" || kind === "service";
  return (
    <>
      <fieldset class="chips">
        <legend class="spoken">{apps.frameworks}</legend>
        {all.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={index === chosen}
            onClick={() => setChosen(index)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      {hasSecret && <p class="hint">{apps.secretHint}</p>}
      {app.clientSecret && <CodeBlock name={apps.environment} text={`export CLIENT_SECRET=${app.clientSecret}\n`} />}
      {snippet?.files.map((file) => (
        <CodeBlock key={file.name} {...file} />
      ))}
    </>
  );
}
