import { useState } from "preact/hooks";
import { texts } from "../state/language.ts";

/** A text for a file or a terminal, with a button that copies it. */
export function CodeBlock({ name, text }: { name: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  const { copy, copied } = texts.value.actions;
  const write = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <figure class="code">
      <figcaption>
        <span>{name}</span>
        <button
          type="button"
          class="link"
          aria-label={`${copy} ${name}`}
          onClick={write}
          onBlur={() => setCopied(false)}
        >
          {isCopied ? copied : copy}
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it (WCAG 2.1.1) */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
