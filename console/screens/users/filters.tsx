import { texts } from "../../state/language.ts";
import { setSearch } from "../../state/location.ts";
import { STATES, type StateFilter, TYPES, type TypeFilter, type UserSearch } from "./user-search.ts";

/** Buttons that narrow the list; a second press removes the filter. */
export function Filters({ search }: { search: UserSearch }) {
  const { users, user } = texts.value;
  const states = Object.keys(STATES) as StateFilter[];
  const types = Object.keys(TYPES) as TypeFilter[];
  return (
    <fieldset class="chips">
      <legend class="spoken">{users.filters}</legend>
      {states.map((state) => (
        <Chip key={state} name="state" value={state} current={search.state} label={user.states[state]} />
      ))}
      {types.map((type) => (
        <Chip key={type} name="type" value={type} current={search.type} label={users.types[type]} />
      ))}
    </fieldset>
  );
}

interface ChipProps {
  readonly name: "state" | "type";
  readonly value: string;
  readonly current: string | undefined;
  readonly label: string;
}

function Chip({ name, value, current, label }: ChipProps) {
  const isOn = value === current;
  const toggle = () => setSearch({ [name]: isOn ? undefined : value, page: undefined, after: undefined });
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={toggle}>
      {label}
    </button>
  );
}
