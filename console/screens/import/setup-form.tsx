import { DROPPABLE, MESSAGE_RULES, NAME_RULES, SHAREABLE, SUBJECT_RULES } from "../../../src/moving/options.ts";
import { Field, Select } from "../../parts/field.tsx";
import { ListField } from "../../parts/list-field.tsx";
import { CheckGroup } from "./check-group.tsx";
import { FileDrop } from "./file-drop.tsx";
import { CHOICES, type SetupValues, type SourceName } from "./setup.ts";
import { importTexts } from "./texts/import-texts.ts";

interface SetupFormProps {
  readonly values: SetupValues;
  readonly onChange: (changes: Partial<SetupValues>) => void;
  readonly files: readonly File[];
  readonly onFiles: (files: readonly File[]) => void;
  readonly mayKeepSubjects: boolean;
  readonly onCheck: () => void;
}

/** The first step: the source, its files, and the options. */
export function SetupForm({ values, onChange, files, onFiles, mayKeepSubjects, onCheck }: SetupFormProps) {
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
            options={names.map((name) => ({ value: name, label: CHOICES[name].label }))}
            onChange={(chosen) => onChange({ from: chosen, idps: {} })}
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
            options={MESSAGE_RULES.map((value) => ({ value, label: own.messages.rules[value] }))}
            onChange={(messages) => onChange({ messages })}
          />
          {mayKeepSubjects ? (
            <Select
              label={own.subjects.title}
              value={values.subjects}
              options={(["usual", ...SUBJECT_RULES] as const).map((value) => ({
                value,
                label: own.subjects.rules[value],
              }))}
              onChange={(subjects) => onChange({ subjects })}
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
      </details>
      <div class="buttons">
        <button type="submit" disabled={files.length === 0}>
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
          values={values.map}
          onChange={(map) => onChange({ map })}
          path="map"
          placeholder="Mail=email"
        />
      )}
    </>
  );
}
