/** A role with its texts. */
export interface RoleChoice {
  readonly role: string;
  readonly name: string;
  /** What it allows. */
  readonly meaning: string;
}

interface RoleBoxesProps {
  readonly label: string;
  readonly choices: readonly RoleChoice[];
  readonly chosen: readonly string[];
  readonly isDisabled?: boolean;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses roles. */
export function RoleBoxes({ label, choices, chosen, isDisabled = false, onChange }: RoleBoxesProps) {
  const toggle = (role: string) =>
    onChange(chosen.includes(role) ? chosen.filter((each) => each !== role) : [...chosen, role]);
  return (
    <fieldset disabled={isDisabled}>
      <legend class="spoken">{label}</legend>
      {choices.map(({ role, name, meaning }) => (
        <label class="check" key={role}>
          <input type="checkbox" checked={chosen.includes(role)} onChange={() => toggle(role)} />
          <span>
            {name} <span class="small">{meaning}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
