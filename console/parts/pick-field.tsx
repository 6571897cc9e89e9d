import { useEffect, useId, useState } from "preact/hooks";
import { texts } from "../state/language.ts";
import { useLoad } from "../state/use-load.ts";
import { usePaused } from "../state/use-paused.ts";
import { Button } from "./button.tsx";
import { ProblemNote } from "./screen.tsx";

/** A choice of a field: its value, what it is called, and what tells it from others. */
export interface Choice {
  readonly value: string;
  readonly title: string;
  readonly note?: string | undefined;
}

interface PickFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** What is chosen; undefined for nothing. */
  readonly chosen: Choice | undefined;
  /** Everything else that the choices depend on. */
  readonly id: string;
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
  readonly onPick: (value: string | undefined) => void;
}

/** Chooses one of many: type, arrows, Enter (a combobox of ARIA). What is chosen is shown by its name, and can be removed. */
export function PickField({ label, hint, chosen, id: key, find, onPick }: PickFieldProps) {
  const id = useId();
  const { remove } = texts.value.actions;
  const [text, setText] = useState("");
  const [marked, setMarked] = useState(0);
  const typed = text.trim();
  const paused = usePaused(typed);
  const found = useLoad(paused === "" ? undefined : `${key} ${paused}`, (signal) => find(paused, signal));
  const isKnown = found.isCurrent && paused === typed;
  const choices = typed !== "" && isKnown ? (found.value ?? []) : [];
  const active = Math.min(marked, choices.length - 1);
  useEffect(() => setMarked(0), [text]);
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" }), [active]);
  const pick = ({ value }: Choice) => {
    setText("");
    onPick(value);
  };
  const follow = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const choice = choices[active];
    if (step !== undefined && choice) setMarked((active + step + choices.length) % choices.length);
    else if (event.key === "Enter" && choice) pick(choice);
    else if (event.key === "Escape" && text !== "") setText("");
    else return;
    event.preventDefault();
  };
  return (
    <div class="field pick-field">
      {chosen ? <p class="label">{label}</p> : <label for={id}>{label}</label>}
      {chosen ? (
        <div class="chosen">
          <span title={chosen.value}>
            {chosen.title} {chosen.note && <span class="small">{chosen.note}</span>}
          </span>
          <Button
            label="✕"
            name={`${remove}: ${label} ${chosen.title}`}
            look="link"
            onClick={() => onPick(undefined)}
          />
        </div>
      ) : (
        <input
          id={id}
          type="search"
          role="combobox"
          aria-expanded={choices.length > 0}
          aria-controls={choices.length > 0 ? `${id}-list` : undefined}
          aria-activedescendant={choices.length > 0 ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          placeholder={hint}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={follow}
          onBlur={() => setText("")}
        />
      )}
      {choices.length > 0 && (
        <div class="places picks" role="listbox" id={`${id}-list`} aria-label={label}>
          {choices.map((choice, index) => (
            // The focus stays in the field, which has the keys.
            <div
              key={choice.value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              class="place"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(choice)}
              onKeyDown={follow}
            >
              {choice.title}
              {choice.note && <span class="small">{choice.note}</span>}
            </div>
          ))}
        </div>
      )}
      {typed !== "" && isKnown && choices.length === 0 && (
        <p class="hint" role="status">
          {texts.value.keys.nothing}
        </p>
      )}
      <ProblemNote problem={found.problem} />
    </div>
  );
}
