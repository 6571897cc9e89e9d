import { useState } from "preact/hooks";
import type { User } from "../../../gen/signet/v1/user_pb.js";
import { inOrg } from "../../api/api.ts";
import { StaleError } from "../../api/problem.ts";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { Section } from "./section.tsx";
import type { UserPart } from "./user-part.ts";

const FIELDS = ["name", "description", "userName"] as const;
type Values = Readonly<Record<(typeof FIELDS)[number], string>>;

/** The names of a machine user, and what it is for. */
export function MachineSection({ orgId, user, mayChange, onChanged }: UserPart) {
  const { api } = useSession();
  const { machine, user: own } = texts.value;
  const stored = toValues(user);
  const [values, setValues] = useState(stored);
  const differs = (name: (typeof FIELDS)[number]) => values[name] !== stored[name];
  const labels: Values = { name: machine.name, description: machine.description, userName: own.fields.userName };

  /** Makes a call for each part that has changed. */
  async function save() {
    const call = inOrg(orgId);
    const userId = user.id;
    const { user: latest } = await api.management.getUserByID({ id: userId }, call);
    if (latest !== undefined && machineKey(latest) !== machineKey(user)) throw new StaleError(own.stale);
    const { name, description, userName } = values;
    if (differs("name") || differs("description")) {
      await api.management.updateMachine({ userId, name, description }, call);
    }
    if (differs("userName")) await api.management.updateUserName({ userId, userName }, call);
  }

  return (
    <Section title={own.profile}>
      <EditForm
        isChanged={FIELDS.some(differs)}
        isOffered={mayChange}
        save={save}
        onSaved={onChanged}
        onReset={() => setValues(stored)}
        fields={FIELDS}
      >
        {(problem) => (
          <div class="fields">
            {FIELDS.map((name) => (
              <Field
                key={name}
                label={labels[name]}
                value={values[name]}
                onInput={(value) => setValues({ ...values, [name]: value })}
                problem={problem}
                path={name}
                isRequired={name !== "description"}
                isReadOnly={!mayChange}
              />
            ))}
          </div>
        )}
      </EditForm>
    </Section>
  );
}

/** Equal as long as nothing that the form shows has changed. */
export function machineKey(user: User): string {
  return JSON.stringify(toValues(user));
}

function toValues(user: User): Values {
  const { name = "", description = "" } = user.type.case === "machine" ? user.type.value : {};
  return { name, description, userName: user.userName };
}
