import { useEffect, useState } from "preact/hooks";

interface ComboboxOptions {
  /** The id of the field. */
  readonly id: string;
  /** The number of choices below it. */
  readonly count: number;
  /** Another text of the field marks the first choice. */
  readonly text: string;
  /** Whether no choice is marked before the person types or presses an arrow. */
  readonly beginsUnmarked?: boolean;
  readonly onChoose: (index: number) => void;
}

/**
 * A field with choices below it: the arrows mark one, and Enter takes it (a combobox of ARIA). The focus stays in the field.
 *
 * @returns The properties of the field and of each choice, and the id of the list.
 */
export function useCombobox({ id, count, text, beginsUnmarked = false, onChoose }: ComboboxOptions) {
  const [marked, setMarked] = useState(-1);
  const active = Math.min(marked, count - 1);
  const optionId = (index: number) => `${id}-${index}`;
  useEffect(() => setMarked(beginsUnmarked && text === "" ? -1 : 0), [text]);
  useEffect(() => document.getElementById(optionId(active))?.scrollIntoView({ block: "nearest" }), [active]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && count > 0) setMarked((Math.max(active, step === 1 ? -1 : 0) + step + count) % count);
    else if (event.key === "Enter" && active >= 0) onChoose(active);
    else return;
    event.preventDefault();
  };
  const input = {
    ...({ id, type: "search", role: "combobox", autocomplete: "off", spellcheck: false } as const),
    "aria-autocomplete": "list" as const,
    "aria-expanded": count > 0,
    "aria-controls": count > 0 ? `${id}-list` : undefined,
    "aria-activedescendant": active >= 0 ? optionId(active) : undefined,
    onKeyDown,
  };
  const option = (index: number) => ({ id: optionId(index), "aria-selected": index === active });
  return { input, listId: `${id}-list`, option };
}
