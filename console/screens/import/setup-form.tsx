import { useId, useRef, useState } from "preact/hooks";
import type { Column } from "../../../src/moving/columns/columns.ts";
import {
  DROPPABLE,
  MERGE_RULES,
  MESSAGE_RULES,
  MISSING_EMAIL_RULES,
  NAME_RULES,
  SHAREABLE,
  SUBJECT_RULES,
} from "../../../src/moving/options.ts";
import { Button } from "../../parts/button.tsx";
import { Check, Field, Select } from "../../parts/field.tsx";
import { ListField } from "../../parts/list-field.tsx";
import { formatNumber } from "../../parts/values.tsx";
import { ColumnPicker } from "./column-picker.tsx";
import { CHOICES, type SetupValues, type SourceName } from "./setup.ts";
import { importTexts } from "./texts/import-texts.ts";

interface SetupFormProps {
  readonly values: SetupValues;
  readonly onChange: (changes: Partial<SetupValues>) => void;
  readonly files: readonly File[];
  readonly onFiles: (files: readonly File[]) => void;
  /** The columns of the files, if they are tables; undefined until they are read. */
  readonly table: readonly Column[] | undefined;
  readonly mayKeepSubjects: boolean;
  readonly onCheck: () => void;
}

/** The first step: the source, its files, and the options. */
export function SetupForm({ values, onChange, files, onFiles, table, mayKeepSubjects, onCheck }: SetupFormProps) {
  const own = importTexts.value;
  const { from } = values;
  const names = Object.keys(CHOICES) as SourceName[];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onCheck();
      }}
    >
      <div class="fields">
        <div>
          <Select
            label={own.source}
            value={from}
            options={names.map((name) => [name, CHOICES[name].label])}
            onInput={(chosen) => onChange({ from: chosen, idps: {}, columns: {} })}
          />
          <p class="hint">
            {from === "csv" && `${own.sourceHint} `}
            <a href={`/docs/guide/${CHOICES[from].guide}`} target="_blank" rel="noreferrer">
              {own.guide}
            </a>
          </p>
        </div>
        <FileDrop files={files} onFiles={onFiles} />
      </div>
      {table !== undefined && table.length > 0 && (
        <ColumnPicker table={table} chosen={values.columns} onChange={(columns) => onChange({ columns })} />
      )}
      <Check
        label={own.update}
        hint={own.updateHint}
        value={values.update}
        onInput={(update) => onChange({ update })}
      />
      <details>
        <summary>{own.options}</summary>
        <CheckGroup
          label={own.names.title}
          hint={own.names.hint}
          items={NAME_RULES}
          labels={own.names.rules}
          chosen={values.names}
          onChange={(chosen) => onChange({ names: chosen })}
        />
        <div class="fields">
          <Select
            label={own.messages.title}
            value={values.messages}
            options={MESSAGE_RULES.map((rule) => [rule, own.messages.rules[rule]])}
            onInput={(messages) => onChange({ messages })}
          />
          {mayKeepSubjects ? (
            <Select
              label={own.subjects.title}
              value={values.subjects}
              options={(["usual", ...SUBJECT_RULES] as const).map((rule) => [rule, own.subjects.rules[rule]])}
              onInput={(subjects) => onChange({ subjects })}
            />
          ) : (
            <p class="hint">{own.subjects.onlyNew}</p>
          )}
          <Field
            label={own.region}
            hint={own.regionHint}
            value={values.defaultRegion}
            maxLength={2}
            onInput={(defaultRegion) => onChange({ defaultRegion })}
          />
          <SourceFields values={values} onChange={onChange} />
        </div>
        <CheckGroup
          label={own.dropInvalid}
          items={DROPPABLE}
          labels={own.droppable}
          chosen={values.dropInvalid}
          onChange={(dropInvalid) => onChange({ dropInvalid })}
        />
        <CheckGroup
          label={own.allowShared}
          items={SHAREABLE}
          labels={own.shareable}
          chosen={values.allowShared}
          onChange={(allowShared) => onChange({ allowShared })}
        />
        <CheckGroup
          label={own.missingEmail}
          items={MISSING_EMAIL_RULES}
          labels={own.missingEmailRules}
          chosen={values.missingEmail}
          onChange={(missingEmail) => onChange({ missingEmail })}
        />
        <CheckGroup
          label={own.merge}
          items={MERGE_RULES}
          labels={own.mergeRules}
          chosen={values.merge}
          onChange={(merge) => onChange({ merge })}
        />
      </details>
      <div class="buttons">
        <button type="submit" disabled={files.length === 0 || table === undefined}>
          {own.check}
        </button>
      </div>
    </form>
  );
}

/** The options that only some sources have. */
function SourceFields({ values, onChange }: Pick<SetupFormProps, "values" | "onChange">) {
  const own = importTexts.value;
  const has: readonly string[] = CHOICES[values.from].has;
  const firebase = ["signerKey", "saltSeparator", "rounds", "memCost"] as const;
  return (
    <>
      {has.includes("rpId") && (
        <Field label={own.rpId} hint={own.rpIdHint} value={values.rpId} onInput={(rpId) => onChange({ rpId })} />
      )}
      {has.includes("firebase") &&
        firebase.map((name) => (
          <Field
            key={name}
            label={own.firebase[name]}
            value={values[name]}
            onInput={(value) => onChange({ [name]: value })}
          />
        ))}
      {has.includes("map") && (
        <ListField
          label={own.map}
          hint={own.mapHint}
          value={values.map}
          onInput={(map) => onChange({ map })}
          placeholder="Mail=email"
        />
      )}
    </>
  );
}

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
function CheckGroup<Item extends string>(props: CheckGroupProps<Item>) {
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

interface FileDropProps {
  readonly files: readonly File[];
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files that are dropped, or chosen with a button. */
function FileDrop({ files, onFiles }: FileDropProps) {
  const own = importTexts.value;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (list: FileList | null | undefined) => {
    if (list && list.length > 0) onFiles([...list]);
  };
  return (
    <section
      class={isOver ? "drop over" : "drop"}
      aria-labelledby={id}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <p class="term" id={id}>
        {own.files}
      </p>
      <input
        ref={input}
        type="file"
        multiple
        aria-label={own.files}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
      <div class="buttons">
        <Button label={own.chooseFiles} onClick={() => input.current?.click()} />
        <span class="quiet">{own.dropHere}</span>
      </div>
      <ul>
        {files.map(({ name, size }) => (
          <li key={name}>
            <strong>{name}</strong> <span class="quiet">{formatNumber(Math.ceil(size / 1_000))} kB</span>
          </li>
        ))}
      </ul>
      <p class="hint">{own.filesHint}</p>
    </section>
  );
}
