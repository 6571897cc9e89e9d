import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Problem } from "../api/problem.ts";
import { go } from "../state/location.ts";
import { useLoad } from "../state/use-load.ts";
import { usePaused } from "../state/use-paused.ts";
import { ProblemNote } from "./screen.tsx";

/** A place that can be found: its address, what it is called, and what tells it from others. */
export interface Place {
  readonly path: string;
  readonly title: string;
  readonly note?: string | undefined;
  /** Whether the person is there. */
  readonly isCurrent?: boolean;
}

/**
 * Looks for places when the typing pauses. Until those of the text are known, the earlier ones that have it in their title
 * remain, so that Enter leads to none of the others.
 *
 * @param key Everything else that they depend on. Undefined looks for nothing.
 */
export function useFound(
  key: string | undefined,
  text: string,
  load: (text: string, signal: AbortSignal) => Promise<readonly Place[]>,
) {
  const paused = usePaused(text);
  const loaded = useLoad(key && `${key} ${paused}`, (signal) => load(paused, signal));
  const isKnown = loaded.isCurrent && paused === text;
  const { value = [], problem } = loaded;
  return { places: isKnown ? value : value.filter(({ title }) => contains(title, text)), isKnown, problem };
}

/** Whether the title contains the text, in upper or lower case, with or without accents. */
export function contains(title: string, part: string): boolean {
  return withoutAccents(title).includes(withoutAccents(part));
}

function withoutAccents(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "")
    .toLowerCase();
}

interface FinderProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly places: readonly Place[];
  /** In place of an empty list, once it is known. */
  readonly none: string | false;
  readonly problem: Problem | undefined;
  readonly onGone: () => void;
}

/** Finds a place with the keyboard: type, arrows, Enter (a combobox of ARIA). */
export function Finder({ label, text, onText, places, none, problem, onGone }: FinderProps) {
  const id = useId();
  const [marked, setMarked] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const active = Math.min(marked, places.length - 1);
  const optionId = (index: number) => `${id}-${index}`;
  useEffect(() => setMarked(0), [text]);
  useEffect(() => document.getElementById(optionId(active))?.scrollIntoView({ block: "nearest" }), [active]);
  const follow = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const place = places[active];
    if (step !== undefined && place) setMarked((active + step + places.length) % places.length);
    else if (event.key === "Enter" && place) {
      onGone();
      go(place.path);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="search"
        role="combobox"
        aria-expanded={places.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={places.length > 0 ? optionId(active) : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={follow}
      />
      <div class="places" role="listbox" id={`${id}-list`} aria-label={label}>
        {places.map(({ path, title, note, isCurrent }, index) => (
          <a
            key={`${path} ${title}`}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            href={path}
            aria-selected={index === active}
            class={isCurrent ? "place current" : "place"}
            onClick={onGone}
          >
            {title}
            {note && <span class="small">{note}</span>}
          </a>
        ))}
      </div>
      <p class="hint" role="status">
        {places.length === 0 && problem === undefined && none}
      </p>
      <ProblemNote problem={problem} />
    </>
  );
}
