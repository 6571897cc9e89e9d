import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { texts } from "../state/language.ts";
import type { Bound } from "../state/use-form.ts";
import { LIFETIME_UNITS, type Lifetime, type LifetimeUnit } from "./lifetime.ts";
import { TakenBy } from "./screen.tsx";

interface LabeledProps<T> extends Bound<T> {
  readonly label: string;
  readonly hint?: string | undefined;
}

interface FieldProps extends LabeledProps<string> {
  readonly type?: "text" | "email" | "password" | "search" | "tel" | "date" | "datetime-local";
  readonly isRequired?: boolean;
  readonly maxLength?: number;
}

/** A labeled text field, with what the API says about it. */
export function Field({ label, value, onInput, type = "text", hint, error, isRequired, ...props }: FieldProps) {
  return (
    <Labeled label={label} hint={hint} error={error && [error, " ", <TakenBy key="user" userId={props.takenBy} />]}>
      {(common) => (
        <input
          {...common}
          type={type}
          value={value}
          required={isRequired}
          readOnly={props.isReadOnly}
          maxLength={props.maxLength}
          autocomplete="off"
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Labeled>
  );
}

/** A labeled field for a text of several lines. */
export function TextArea({ label, value, onInput, hint, error, isRequired, isReadOnly }: FieldProps) {
  return (
    <Labeled label={label} hint={hint} error={error}>
      {(common) => (
        <textarea
          {...common}
          rows={6}
          value={value}
          required={isRequired}
          readOnly={isReadOnly}
          spellcheck={false}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Labeled>
  );
}

interface SelectProps<T extends string> extends LabeledProps<T> {
  /** Each value with its label. */
  readonly options: readonly (readonly [value: T, label: string])[];
}

/** A labeled list of choices. */
export function Select<T extends string>({ label, value, options, onInput, hint, error, isReadOnly }: SelectProps<T>) {
  return (
    <Labeled label={label} hint={hint} error={error}>
      {(common) => (
        <select
          {...common}
          value={value}
          disabled={isReadOnly}
          onChange={(event) => onInput(event.currentTarget.value as T)}
        >
          {toOptions(options)}
        </select>
      )}
    </Labeled>
  );
}

export function toOptions(options: readonly (readonly [value: string, label: string])[]) {
  return options.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

/** A setting that is on or off, with what it means. */
export function Check({ label, hint, value, onInput, isReadOnly }: LabeledProps<boolean>) {
  const id = useId();
  return (
    <div class="setting">
      <Option isChosen={value} isReadOnly={isReadOnly} describedBy={hint && id} onInput={onInput}>
        {label}
      </Option>
      {hint && (
        <p class="hint" id={id}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface OptionProps {
  /** The name of a group of which only one is chosen. */
  readonly group?: string;
  readonly isChosen: boolean;
  readonly isReadOnly?: boolean | undefined;
  /** The id of its hint. */
  readonly describedBy?: string | undefined;
  readonly onInput: (isChosen: boolean) => void;
  readonly children: ComponentChildren;
}

/** A box or a radio button with its words. */
export function Option({ group, isChosen, isReadOnly, describedBy, onInput, children }: OptionProps) {
  return (
    <label class="check">
      <input
        type={group === undefined ? "checkbox" : "radio"}
        name={group}
        checked={isChosen}
        disabled={isReadOnly}
        aria-describedby={describedBy}
        onChange={(event) => onInput(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

interface ChoicesProps<T extends string> extends LabeledProps<T> {
  readonly options: readonly {
    readonly value: T;
    readonly label: string;
    readonly meaning: string;
  }[];
}

/** A few choices beside each other, with what each means. */
export function Choices<T extends string>({ label, value, options, onInput, isReadOnly }: ChoicesProps<T>) {
  const id = useId();
  return (
    <fieldset class="field choices">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={id}
            checked={option.value === value}
            disabled={isReadOnly}
            aria-labelledby={`${id}-${option.value}`}
            aria-describedby={`${id}-${option.value}-meaning`}
            onChange={() => onInput(option.value)}
          />
          <span>
            <span id={`${id}-${option.value}`}>{option.label}</span>
            <span class="small" id={`${id}-${option.value}-meaning`}>
              {option.meaning}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

const COLOR = /^#[0-9a-f]{6}$/i;

/** A color as `#` and six hexadecimal digits, or empty, and the picker of the browser for it. */
export function ColorField(props: LabeledProps<string>) {
  const { label, value, onInput, isReadOnly } = props;
  return (
    <div class="color">
      <Field {...props} maxLength={7} />
      <input
        type="color"
        aria-label={label}
        value={COLOR.test(value) ? value.toLowerCase() : "#3d4fd1"}
        disabled={isReadOnly}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

interface LabelProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: ComponentChildren;
  readonly children: (common: Common) => ComponentChildren;
}

/** What a field gets from its label. */
export interface Common {
  readonly id: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby": string | undefined;
}

/** The label of a field, and below it the hint and the error, to which its `aria-describedby` points. */
export function Labeled({ label, hint, error, children }: LabelProps) {
  const id = useId();
  const notes = { hint, error };
  const described = (["hint", "error"] as const).filter((name) => notes[name]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        "aria-invalid": error !== undefined,
        "aria-describedby": described.map((name) => `${id}-${name}`).join(" ") || undefined,
      })}
      {described.map((name) => (
        <p key={name} class={name} id={`${id}-${name}`}>
          {notes[name]}
        </p>
      ))}
    </div>
  );
}

/** A labeled field for a duration: a number and its unit. */
export function LifetimeField({ label, hint, value, onInput, error, isReadOnly }: LabeledProps<Lifetime>) {
  const { unit, units } = texts.value.lifetimes;
  return (
    <Labeled label={label} hint={hint} error={error}>
      {(common) => (
        <div class="lifetime">
          <input
            {...common}
            type="number"
            min={0}
            max={999_999_999}
            value={value.amount}
            readOnly={isReadOnly}
            onInput={(event) => onInput({ ...value, amount: event.currentTarget.value })}
          />
          <select
            aria-label={`${label}: ${unit}`}
            value={value.unit}
            disabled={isReadOnly}
            onChange={(event) => onInput({ ...value, unit: event.currentTarget.value as LifetimeUnit })}
          >
            {toOptions(LIFETIME_UNITS.map((each) => [each, units[each]]))}
          </select>
        </div>
      )}
    </Labeled>
  );
}
