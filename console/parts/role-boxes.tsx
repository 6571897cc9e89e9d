import type { Bound } from "../state/use-form.ts";
import { Option } from "./field.tsx";

/** What each role is called, and what it allows, in the order of their permissions. */
export type RoleChoices = Readonly<Record<string, { readonly name: string; readonly meaning: string }>>;

/** Chooses roles, in the order of their names. */
export function RoleBoxes({ label, choices, ...bound }: Bound<string[]> & { label: string; choices: RoleChoices }) {
  const { value, onInput, isReadOnly } = bound;
  const toggle = (role: string, isChosen: boolean) =>
    onInput(isChosen ? [...value, role].sort() : value.filter((each) => each !== role));
  return (
    <fieldset disabled={isReadOnly}>
      <legend class="spoken">{label}</legend>
      {Object.entries(choices).map(([role, { name, meaning }]) => (
        <Option key={role} isChosen={value.includes(role)} onInput={(isChosen) => toggle(role, isChosen)}>
          {name} <span class="small">{meaning}</span>
        </Option>
      ))}
    </fieldset>
  );
}

/** The names of roles; a role that the console does not know has the name of the API. */
export function namesOf(roles: readonly string[], choices: RoleChoices): string {
  return roles.map((role) => choices[role]?.name ?? role).join(", ");
}
