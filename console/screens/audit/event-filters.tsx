import { useEffect, useState } from "preact/hooks";
import { Field } from "../../parts/field.tsx";
import { toLocalTime } from "../../parts/local-time.ts";
import { texts } from "../../state/language.ts";
import { setSearch } from "../../state/location.ts";
import { EVENT_KINDS, type EventKind } from "./event-kinds.ts";
import { type EventSearch, toTimeParameter } from "./event-search.ts";

/** Other filters begin with their latest events. */
const FIRST_PAGE = { before: undefined, open: undefined };

/** The kinds as buttons; a second press removes the filter. */
export function KindChips({ search }: { search: EventSearch }) {
  const { kinds, filters } = texts.value.audit;
  return (
    <fieldset class="chips">
      <legend class="spoken">{filters}</legend>
      {(Object.keys(EVENT_KINDS) as EventKind[]).map((kind) => (
        <button
          key={kind}
          type="button"
          class="chip"
          aria-pressed={kind === search.kind}
          onClick={() => setSearch({ ...FIRST_PAGE, kind: kind === search.kind ? undefined : kind, type: undefined })}
        >
          {kinds[kind]}
        </button>
      ))}
    </fieldset>
  );
}

/** The other filters. They take effect together. */
export function EventFilters({ search }: { search: EventSearch }) {
  const { audit } = texts.value;
  const stored = {
    type: search.type,
    object: search.object,
    actor: search.actor,
    since: toLocalTime(search.since),
    until: toLocalTime(search.until),
  };
  const [values, setValues] = useState(stored);
  const key = JSON.stringify(stored);
  // Another address, such as an earlier one.
  useEffect(() => setValues(stored), [key]);
  const isUsed = Object.values(stored).some((value) => value !== "");
  const set = (name: keyof typeof stored) => (value: string) => setValues({ ...values, [name]: value });
  return (
    <details class="more" open={isUsed}>
      <summary>{audit.more}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setSearch({
            ...FIRST_PAGE,
            ...(values.type !== "" && { kind: undefined }),
            type: values.type.trim(),
            object: values.object.trim(),
            actor: values.actor.trim(),
            since: toTimeParameter(values.since),
            until: toTimeParameter(values.until),
          });
        }}
      >
        <div class="fields">
          <Field label={audit.type} value={values.type} onInput={set("type")} hint={audit.typeHint} maxLength={200} />
          <Field label={audit.object} value={values.object} onInput={set("object")} hint={audit.id} maxLength={200} />
          <Field label={audit.actor} value={values.actor} onInput={set("actor")} hint={audit.id} maxLength={200} />
          <Field label={audit.since} value={values.since} onInput={set("since")} type="datetime-local" />
          <Field label={audit.until} value={values.until} onInput={set("until")} type="datetime-local" />
        </div>
        <div class="buttons">
          <button type="submit">{audit.apply}</button>
          {isUsed && (
            <button
              type="button"
              class="secondary"
              onClick={() =>
                setSearch({
                  ...FIRST_PAGE,
                  type: undefined,
                  object: undefined,
                  actor: undefined,
                  since: undefined,
                  until: undefined,
                })
              }
            >
              {audit.clear}
            </button>
          )}
        </div>
      </form>
    </details>
  );
}
