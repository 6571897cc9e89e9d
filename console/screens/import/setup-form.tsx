import { useId, useState } from "preact/hooks";
import {
  DROPPABLE,
  MERGE_RULES,
  MESSAGE_RULES,
  MISSING_EMAIL_RULES,
  NAME_RULES,
  SHAREABLE,
  SUBJECT_RULES,
} from "../../../src/moving/options.ts";
import { Check, Field, Option, Select } from "../../parts/field.tsx";
import { FileButton } from "../../parts/file-button.tsx";
import { ListField } from "../../parts/list-field.tsx";
import { formatNumber, GuideLink } from "../../parts/values.tsx";
import { namesOf } from "../../state/tables.ts";
import type { Bound } from "../../state/use-form.ts";
import { ColumnPicker } from "./column-picker.tsx";
import { CHOICES, type SetupValues } from "./setup.ts";
import { importTexts } from "./texts/import-texts.ts";
import type { PhaseProps } from "./use-setup.ts";

/** The first step: the source, its files, and the options. */
export function SetupForm({ run: { check, reset }, setup, phase: { earlier } }: PhaseProps<"choose">) {
  const own = importTexts.value;
  const { values, setValues, files, setFiles, table, mayKeepSubjects, toJob, keepColumns } = setup;
  const { from } = values;
  const change = (changes: Partial<SetupValues>) => setValues({ ...values, ...changes });
  const field: FieldOf = (name) => ({ value: values[name], onInput: (value) => change({ [name]: value }) });
  const takeFiles = (chosen: readonly File[]) => {
    setFiles(chosen);
    // Other files are another import.
    if (earlier !== undefined) reset();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        keepColumns();
        void check(toJob(), earlier);
      }}
    >
      <div class="fields">
        <div>
          <Select
            label={own.source}
            value={from}
            options={namesOf(CHOICES).map((name) => [name, CHOICES[name].label])}
            onInput={(chosen) => change({ from: chosen, idps: {}, columns: {} })}
          />
          <p class="hint">
            {from === "csv" && `${own.sourceHint} `}
            <GuideLink page={CHOICES[from].guide}>{own.guide}</GuideLink>
          </p>
        </div>
        <FileDrop files={files} onFiles={takeFiles} />
      </div>
      {table !== undefined && table.length > 0 && <ColumnPicker table={table} {...field("columns")} />}
      <Check label={own.update} hint={own.updateHint} {...field("update")} />
      <OptionFields from={from} mayKeepSubjects={mayKeepSubjects} field={field} />
      <div class="buttons">
        <button type="submit" disabled={files.length === 0 || table === undefined}>
          {own.check}
        </button>
      </div>
    </form>
  );
}

type FieldOf = <Name extends keyof SetupValues>(name: Name) => Bound<SetupValues[Name]>;

interface OptionFieldsProps extends Pick<SetupValues, "from"> {
  readonly mayKeepSubjects: boolean;
  readonly field: FieldOf;
}

/** What most people leave as it is. */
function OptionFields({ from, mayKeepSubjects, field }: OptionFieldsProps) {
  const own = importTexts.value;
  const { messages, subjects } = own;
  return (
    <details>
      <summary>{own.options}</summary>
      <CheckGroup {...own.names} label={own.names.title} items={NAME_RULES} {...field("names")} />
      <div class="fields">
        <Select
          {...{ label: messages.title, ...field("messages") }}
          options={MESSAGE_RULES.map((rule) => [rule, messages.rules[rule]])}
        />
        {mayKeepSubjects ? (
          <Select
            {...{ label: subjects.title, ...field("subjects") }}
            options={(["usual", ...SUBJECT_RULES] as const).map((rule) => [rule, subjects.rules[rule]])}
          />
        ) : (
          <p class="hint">{subjects.onlyNew}</p>
        )}
        <Field label={own.region} hint={own.regionHint} {...field("defaultRegion")} maxLength={2} />
        <SourceFields has={CHOICES[from].has} field={field} />
      </div>
      <CheckGroup label={own.dropInvalid} items={DROPPABLE} rules={own.droppable} {...field("dropInvalid")} />
      <CheckGroup label={own.allowShared} items={SHAREABLE} rules={own.shareable} {...field("allowShared")} />
      <CheckGroup
        {...{ label: own.missingEmail, items: MISSING_EMAIL_RULES, rules: own.missingEmailRules }}
        {...field("missingEmail")}
      />
      <CheckGroup label={own.merge} items={MERGE_RULES} rules={own.mergeRules} {...field("merge")} />
    </details>
  );
}

const FIREBASE = ["signerKey", "saltSeparator", "rounds", "memCost"] as const;

/** The options that only some sources have. */
function SourceFields({ has, field }: { has: readonly string[]; field: FieldOf }) {
  const own = importTexts.value;
  return (
    <>
      {has.includes("rpId") && <Field label={own.rpId} hint={own.rpIdHint} {...field("rpId")} />}
      {has.includes("firebase") &&
        FIREBASE.map((name) => <Field key={name} label={own.firebase[name]} {...field(name)} />)}
      {has.includes("map") && (
        <ListField label={own.map} hint={own.mapHint} {...field("map")} placeholder="Mail=email" />
      )}
    </>
  );
}

interface CheckGroupProps<Item extends string> extends Bound<readonly Item[]> {
  readonly label: string;
  readonly hint?: string;
  /** In the order in which those that are chosen are reported. */
  readonly items: readonly Item[];
  readonly rules: Readonly<Record<Item, string>>;
}

/** A group of items of which any number is chosen. */
function CheckGroup<Item extends string>({ label, hint, items, rules, value, onInput }: CheckGroupProps<Item>) {
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
          <Option
            key={item}
            isChosen={value.includes(item)}
            onInput={(isOn) => onInput(items.filter((each) => (each === item ? isOn : value.includes(each))))}
          >
            {rules[item]}
          </Option>
        ))}
      </div>
    </fieldset>
  );
}

/** Takes files that are dropped, or chosen with a button. */
function FileDrop({ files, onFiles }: { files: readonly File[]; onFiles: (files: readonly File[]) => void }) {
  const own = importTexts.value;
  const id = useId();
  const [isOver, setOver] = useState(false);
  const mark = (event: DragEvent, is: boolean) => {
    event.preventDefault();
    setOver(is);
  };
  const take = (list: FileList | null | undefined) => {
    if (list && list.length > 0) onFiles([...list]);
  };
  return (
    <section
      class={isOver ? "drop over" : "drop"}
      aria-labelledby={id}
      onDragOver={(event) => mark(event, true)}
      onDragLeave={(event) => mark(event, false)}
      onDrop={(event) => {
        mark(event, false);
        take(event.dataTransfer?.files);
      }}
    >
      <p class="term" id={id}>
        {own.files}
      </p>
      <div class="buttons">
        <FileButton {...{ label: own.chooseFiles, field: own.files, isMany: true, onFiles: take }} />
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
