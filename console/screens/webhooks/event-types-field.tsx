import { useId, useState } from "preact/hooks";
import { findTypes, listEventTypes, type NamedType } from "../../parts/event-types.ts";
import { Option } from "../../parts/field.tsx";
import { texts } from "../../state/language.ts";
import type { Bound } from "../../state/use-form.ts";

/** The API accepts no more. */
const MOST_TYPES = 50;

/** The types of the events of organizations. */
export function listWebhookTypes() {
  return listEventTypes().filter(({ type }) => !type.startsWith("instance."));
}

/** The types of events that a webhook gets: all, or those that are chosen in a tree. */
export function EventTypesField({ value, onInput, error, errorAt, isReadOnly = false }: Bound<string[]>) {
  const { webhooks } = texts.value;
  const id = useId();
  const [isChoosing, setChoosing] = useState(false);
  const [text, setText] = useState("");
  const isAll = value.length === 0 && !isChoosing;
  const typed = text.trim();
  const types = findTypes(listWebhookTypes(), typed);
  const rejected = error ?? value.map((_, index) => errorAt?.(index)).find(Boolean);
  const problem = value.length > MOST_TYPES ? webhooks.tooManyTypes(MOST_TYPES) : rejected;
  const scope = (label: string, isChosen: boolean, choose: () => void) => (
    <Option group={id} isChosen={isChosen} isReadOnly={isReadOnly} onInput={choose}>
      {label}
    </Option>
  );
  return (
    <fieldset class="field" aria-describedby={problem && `${id}-error`}>
      <legend>{webhooks.eventTypes}</legend>
      {scope(webhooks.everyType, isAll, () => {
        setChoosing(false);
        onInput([]);
      })}
      {scope(webhooks.someTypes, !isAll, () => setChoosing(true))}
      {!isAll && (
        <div class="type-tree">
          <input
            type="search"
            aria-label={webhooks.searchTypes}
            placeholder={webhooks.searchTypes}
            value={text}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
          />
          <p class="hint" role="status">
            {types.length === 0 ? texts.value.keys.nothing : webhooks.chosenTypes(value.length)}
          </p>
          {buildTypeTree(types).map((group) => (
            <Group
              key={`${group.name} ${typed}`}
              {...{ group, value, onInput, isReadOnly }}
              isOpen={typed !== "" || typesIn(group).some((type) => value.includes(type))}
            />
          ))}
        </div>
      )}
      {problem && (
        <p class="error" id={`${id}-error`}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface GroupProps extends Pick<Bound<string[]>, "value" | "onInput"> {
  readonly group: TypeGroup;
  readonly isReadOnly: boolean;
  readonly isOpen: boolean;
}

/** The types that begin with the same name, which can be chosen together. */
function Group({ group, value, onInput, isReadOnly, isOpen }: GroupProps) {
  const { webhooks } = texts.value;
  const types = typesIn(group);
  const chosen = types.filter((type) => value.includes(type)).length;
  const set = (changed: readonly string[], isChosen: boolean) => {
    const others = value.filter((type) => !changed.includes(type));
    onInput(isChosen ? [...others, ...changed].sort() : others);
  };
  return (
    <details open={isOpen}>
      <summary>
        <code>{group.name}.*</code> <span class="small">{webhooks.chosenOf(chosen, types.length)}</span>
      </summary>
      <Option isChosen={chosen === types.length} isReadOnly={isReadOnly} onInput={(isChosen) => set(types, isChosen)}>
        {webhooks.wholeGroup(group.name)}
      </Option>
      {group.types.map(({ type, words }) => (
        <Option
          key={type}
          isChosen={value.includes(type)}
          isReadOnly={isReadOnly}
          onInput={(isChosen) => set([type], isChosen)}
        >
          {words} <code class="quiet">{type}</code>
        </Option>
      ))}
      {group.groups.map((each) => (
        <Group
          key={each.name}
          {...{ group: each, value, onInput, isReadOnly }}
          isOpen={isOpen && typesIn(each).some((type) => value.includes(type))}
        />
      ))}
    </details>
  );
}

/** Types of events whose names begin with the same words, such as `user.human`. */
interface TypeGroup {
  readonly name: string;
  readonly types: readonly NamedType[];
  readonly groups: readonly TypeGroup[];
}

/** Fewer types are not worth a group within a group. */
const LEAST = 3;

/** Groups types by the first word of their names, and these by the second one. */
function buildTypeTree(types: readonly NamedType[]): TypeGroup[] {
  return groupBy(types, 1).map(([name, ofName]) => {
    const groups = groupBy(ofName, 2).filter(([, ofGroup]) => ofGroup.length >= LEAST);
    const grouped = groups.flatMap(([, ofGroup]) => ofGroup);
    return {
      name,
      types: ofName.filter((type) => !grouped.includes(type)),
      groups: groups.map(([group, ofGroup]) => ({ name: group, types: ofGroup, groups: [] })),
    };
  });
}

function typesIn({ types, groups }: TypeGroup): string[] {
  return [...types.map(({ type }) => type), ...groups.flatMap(typesIn)];
}

function groupBy(types: readonly NamedType[], words: number): [string, NamedType[]][] {
  const groups = new Map<string, NamedType[]>();
  for (const each of types) {
    const name = each.type.split(".").slice(0, words).join(".");
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return [...groups];
}
