import { useEffect, useId, useRef } from "preact/hooks";
import type { Problem } from "../api/problem.ts";
import { go } from "../state/location.ts";
import { useLoad } from "../state/use-load.ts";
import { usePaused } from "../state/use-paused.ts";
import { useCombobox } from "./combobox.ts";
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
 * Looks for places or choices when the typing pauses. Until those of the text are known, the earlier ones that have it in
 * their title remain, so that Enter leads to none of the others.
 *
 * @param key Everything else that they depend on. Undefined looks for nothing.
 */
export function useFound<Found extends { readonly title: string }>(
  key: string | undefined,
  text: string,
  load: (text: string, signal: AbortSignal) => Promise<readonly Found[]>,
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

/** Finds a place with the keyboard: type, arrows, Enter. */
export function Finder({ label, text, onText, places, none, problem, onGone }: FinderProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const onChoose = (index: number) => {
    const place = places[index];
    if (place === undefined) return;
    onGone();
    go(place.path);
  };
  const { input, listId, option } = useCombobox({ id, count: places.length, text, onChoose });
  return (
    <>
      <label for={id}>{label}</label>
      <input {...input} ref={field} value={text} onInput={(event) => onText(event.currentTarget.value)} />
      <div class="places" role="listbox" id={listId} aria-label={label}>
        {places.map(({ path, title, note, isCurrent }, index) => (
          <a
            key={`${path} ${title}`}
            role="option"
            tabIndex={-1}
            {...option(index)}
            href={path}
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
