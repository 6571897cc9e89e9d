import { useId } from "preact/hooks";
import { texts } from "../state/language.ts";
import type { Bound } from "../state/use-form.ts";
import { Button } from "./button.tsx";

interface ListFieldProps extends Bound<string[]> {
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with an item while it is typed: the API rejects it, or it does something else than it seems to. */
  readonly describe?: (item: string) => { readonly text: string; readonly isRejected: boolean } | undefined;
  readonly placeholder?: string;
}

/** A list of texts, each in a field of its own with what is wrong with it. */
export function ListField(props: ListFieldProps) {
  const { label, hint, value: values, onInput, error, isReadOnly = false } = props;
  const { add } = texts.value.actions;
  const id = useId();
  const shown = values.length === 0 && !isReadOnly ? [""] : values;
  return (
    <fieldset class="field list" aria-describedby={hint && `${id}-hint`}>
      <legend>{label}</legend>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {shown.map((item, index) => (
        <Item
          key={index}
          {...{ ...props, item, index, id: `${id}-${index}` }}
          onReplace={(...items) => onInput(shown.toSpliced(index, 1, ...items))}
        />
      ))}
      {error && <p class="error">{error}</p>}
      {!isReadOnly && (
        <Button label={add} name={`${add} ${label}`} look="link" onClick={() => onInput([...shown, ""])} />
      )}
    </fieldset>
  );
}

interface ItemProps extends ListFieldProps {
  readonly id: string;
  readonly item: string;
  readonly index: number;
  readonly onReplace: (...items: string[]) => void;
}

function Item({ label, value: values, describe, errorAt, isReadOnly = false, id, item, index, ...props }: ItemProps) {
  const { remove } = texts.value.actions;
  const own = item === "" ? undefined : describe?.(item);
  const rejected = errorAt?.(index);
  const error = own?.isRejected ? own.text : (rejected ?? own?.text);
  const name = `${label} ${index + 1}`;
  return (
    <div class="item">
      <input
        type="text"
        value={item}
        readOnly={isReadOnly}
        placeholder={props.placeholder}
        spellcheck={false}
        autocomplete="off"
        aria-label={name}
        aria-invalid={own?.isRejected || rejected !== undefined}
        aria-describedby={error && id}
        onInput={(event) => props.onReplace(event.currentTarget.value)}
      />
      {!isReadOnly && values.length > 0 && (
        <Button label={remove} name={`${remove} ${name}`} look="link" onClick={() => props.onReplace()} />
      )}
      {error && (
        <p class={own && !own.isRejected ? "warning" : "error"} id={id}>
          {error}
        </p>
      )}
    </div>
  );
}
