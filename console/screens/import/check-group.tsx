import { useId } from "preact/hooks";

interface CheckGroupProps<Item extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly items: readonly Item[];
  readonly labels: Readonly<Record<string, string>>;
  readonly chosen: readonly Item[];
  /** Gets the chosen items in the order of `items`. */
  readonly onChange: (chosen: readonly Item[]) => void;
}

/** A group of items of which any number is chosen. */
export function CheckGroup<Item extends string>(props: CheckGroupProps<Item>) {
  const { label, hint, items, labels, chosen, onChange } = props;
  const id = useId();
  return (
    <fieldset class="group" aria-describedby={hint && id}>
      <legend>{label}</legend>
      {hint && (
        <p class="hint" id={id}>
          {hint}
        </p>
      )}
      <div class="chips">
        {items.map((item) => (
          <label key={item} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(item)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(items.filter((each) => (each === item ? checked : chosen.includes(each))))
              }
            />
            <span>{labels[item]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
