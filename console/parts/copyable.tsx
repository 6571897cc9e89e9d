import { useState } from "preact/hooks";
import { texts } from "../state/language.ts";

/** A text for other programs, such as an id, with a button that copies it. */
export function Copyable({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  const { copy, copied } = texts.value.actions;
  const write = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <span class="copyable">
      <code>{text}</code>
      <button type="button" class="link" onClick={write} onBlur={() => setCopied(false)} aria-label={`${copy} ${text}`}>
        {isCopied ? copied : copy}
      </button>
    </span>
  );
}
