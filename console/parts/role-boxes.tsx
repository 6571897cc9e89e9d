import type { Bound } from "../state/use-form.ts";
import type { Texts } from "../texts/en/en.ts";
import { Option } from "./field.tsx";

interface RoleBoxesProps extends Bound<string[]> {
  readonly label: string;
  readonly choices: readonly RoleChoice[];
}

/** Chooses roles, in the order of their names. */
export function RoleBoxes({ label, choices, value, onInput, isReadOnly }: RoleBoxesProps) {
  const toggle = (role: string, isChosen: boolean) =>
    onInput(isChosen ? [...value, role].sort() : value.filter((each) => each !== role));
  return (
    <fieldset disabled={isReadOnly}>
      <legend class="spoken">{label}</legend>
      {choices.map(({ role, name, meaning }) => (
        <Option key={role} isChosen={value.includes(role)} onInput={(isChosen) => toggle(role, isChosen)}>
          {name} <span class="small">{meaning}</span>
        </Option>
      ))}
    </fieldset>
  );
}

/** A role with its texts. */
export interface RoleChoice {
  readonly role: string;
  readonly name: string;
  /** What it allows. */
  readonly meaning: string;
}

/** The roles in an organization, in the order of their permissions. */
const ORG_ROLES = ["ORG_OWNER", "ORG_SETTINGS_MANAGER", "ORG_USER_MANAGER", "ORG_VIEWER"] as const;

/** The roles in the instance, which apply to every organization. */
const INSTANCE_ROLES = ["INSTANCE_OWNER", "INSTANCE_USER_MANAGER", "INSTANCE_VIEWER"] as const;

export function orgRoleChoices({ user }: Texts): readonly RoleChoice[] {
  return ORG_ROLES.map((role) => ({ role, name: user.roles.names[role], meaning: user.roles.meanings[role] }));
}

export function instanceRoleChoices({ members }: Texts): readonly RoleChoice[] {
  return INSTANCE_ROLES.map((role) => ({ role, name: members.names[role], meaning: members.meanings[role] }));
}

/** The names of roles; a role that the console does not know has the name of the API. */
export function namesOf(roles: readonly string[], choices: readonly RoleChoice[]): string {
  return roles.map((role) => choices.find((choice) => choice.role === role)?.name ?? role).join(", ");
}
