import { useEffect, useState } from "preact/hooks";
import { texts } from "../../state/language.ts";
import { setSearch } from "../../state/location.ts";

/** A search begins when the typing pauses for this time. */
const PAUSE_MS = 250;

/** One box for names, addresses, phone numbers and ids. */
export function SearchBox({ text, label }: { text: string; label: string }) {
  const [typed, setTyped] = useState(text);
  // Another address, such as an earlier one; what is being typed may end with a space.
  useEffect(() => {
    if (typed.trim() !== text) setTyped(text);
  }, [text]);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => search(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(typed);
        }}
      >
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          aria-keyshortcuts="/"
          title={texts.value.keys.searchHint}
          value={typed}
          maxLength={500}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}

/** Further texts of one search replace its address, so that the browser's button goes back before it. */
function search(text: string): void {
  setSearch({ q: text.trim() || undefined, page: undefined, after: undefined }, { replace: true });
}
