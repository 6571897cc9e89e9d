import { Select } from "../parts/field.tsx";
import { useSession } from "../state/context.ts";
import { chosenLanguage, LANGUAGES, texts } from "../state/language.ts";
import { theme } from "../state/preferences.ts";

/** Who has signed in, and what the person prefers in this browser. */
export function PersonMenu({ onHelp }: { onHelp: () => void }) {
  const { me, signOut } = useSession();
  const { shell } = texts.value;
  const initials = initialsOf(me.name);
  const languages = Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }));
  return (
    <>
      <button
        type="button"
        class="person secondary"
        popovertarget="person-menu"
        aria-label={`${initials}, ${shell.menuOf(me.name)}`}
      >
        {initials}
      </button>
      <div id="person-menu" class="menu" popover="auto">
        <p>
          <strong>{me.name}</strong>
        </p>
        <ul class="links">
          <li>
            <a href="/ui/account">{shell.account}</a>
          </li>
        </ul>
        <Select
          label={shell.theme}
          value={theme.value}
          options={(["system", "light", "dark"] as const).map((value) => ({ value, label: shell.themes[value] }))}
          onChange={(value) => {
            theme.value = value;
          }}
        />
        <Select
          label={shell.language}
          value={chosenLanguage.value as string}
          options={[{ value: "system", label: shell.themes.system }, ...languages]}
          onChange={(value) => {
            chosenLanguage.value = value as typeof chosenLanguage.value;
          }}
        />
        <div class="buttons">
          <button type="button" class="secondary" popovertarget="person-menu" onClick={onHelp}>
            {shell.keys}
          </button>
          <button type="button" class="secondary" onClick={signOut}>
            {shell.signOut}
          </button>
        </div>
      </div>
    </>
  );
}

/** The first letters of the first and the last name. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const [first = "?"] = words[0] ?? "";
  const [last = ""] = words.length > 1 ? (words.at(-1) ?? "") : "";
  return (first + last).toUpperCase();
}
