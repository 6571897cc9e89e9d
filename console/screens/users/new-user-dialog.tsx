import { useState } from "preact/hooks";
import type { ImportHumanUserResponse_Warning } from "../../../gen/signet/v1/management_pb.js";
import { inOrg } from "../../api/api.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import { toPath } from "../../state/routes.ts";
import { useAction } from "../../state/use-action.ts";
import { TYPES, type TypeFilter } from "./user-search.ts";

type FieldName = "firstName" | "lastName" | "email" | "userName" | "name" | "description";

/** The fields of each type of user, by their paths in the request. */
const FIELDS: Readonly<Record<TypeFilter, Partial<Readonly<Record<FieldName, string>>>>> = {
  human: { firstName: "profile.firstName", lastName: "profile.lastName", email: "email.email", userName: "userName" },
  machine: { name: "name", userName: "userName", description: "description" },
};

const EMPTY: Readonly<Record<FieldName, string>> = {
  firstName: "",
  lastName: "",
  email: "",
  userName: "",
  name: "",
  description: "",
};

/** Only a person can have warnings. */
interface Added {
  readonly userId: string;
  readonly warnings?: readonly ImportHumanUserResponse_Warning[];
}

/** Makes a person, who gets an invitation, or a machine user, and shows it. */
export function NewUserDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const { api } = useSession();
  const { users, user, machine, actions } = texts.value;
  const [type, setType] = useState<TypeFilter>("human");
  const [values, setValues] = useState(EMPTY);
  const call = inOrg(orgId);
  const [added, setAdded] = useState<Added>();
  const show = (userId: string) => go(toPath({ page: "user", orgId, userId }));
  const action = useAction(async () => {
    const { userId, warnings = [] }: Added = type === "human" ? await addHuman() : await addMachine();
    if (warnings.length > 0) setAdded({ userId, warnings });
    else show(userId);
  });

  /** Most people sign in with their address. */
  function addHuman() {
    const { firstName, lastName, email, userName } = values;
    const profile = { firstName, lastName };
    return api.management.importHumanUser({ userName: userName || email, profile, email: { email } }, call);
  }

  function addMachine() {
    const { name, userName, description } = values;
    return api.management.addMachineUser({ name, userName, description }, call);
  }

  if (added !== undefined) return <WarningsDialog {...added} onDone={() => show(added.userId)} />;
  const labels: Readonly<Record<FieldName, string>> = { ...user.fields, ...machine };
  const { problem } = action;
  const fields = FIELDS[type];
  const paths = Object.values(fields);
  const isAtFields = problem !== undefined && [...problem.fields.keys()].some((path) => paths.includes(path));
  return (
    <Dialog title={users.add} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <fieldset class="chips">
          <legend class="spoken">{users.kind}</legend>
          {(Object.keys(TYPES) as TypeFilter[]).map((each) => (
            <label class="check" key={each}>
              <input type="radio" name="type" checked={each === type} onChange={() => setType(each)} />
              {users.kinds[each]}
            </label>
          ))}
        </fieldset>
        {(Object.keys(fields) as FieldName[]).map((field) => (
          <Field
            key={field}
            label={labels[field]}
            value={values[field]}
            type={field === "email" ? "email" : "text"}
            onInput={(value) => setValues({ ...values, [field]: value })}
            {...(type === "human" && field === "userName" && { hint: users.userNameHint })}
            problem={problem}
            path={fields[field] ?? field}
            isRequired={field !== "description" && !(type === "human" && field === "userName")}
          />
        ))}
        {!isAtFields && <ProblemNote problem={problem} />}
        <div class="buttons">
          <button type="submit" disabled={action.isRunning}>
            {users.add}
          </button>
          <button type="button" class="secondary" onClick={onClose}>
            {actions.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What was changed or has no effect. The user exists, so each way out of the dialog leads there. */
function WarningsDialog({ warnings = [], onDone }: Added & { readonly onDone: () => void }) {
  const { users } = texts.value;
  const reasons = new Map(warnings.map(({ reason, description }) => [reason, description]));
  return (
    <Dialog title={users.add} onClose={onDone}>
      <p>{users.added}</p>
      <ul>
        {[...reasons].map(([reason, description]) => (
          <li key={reason}>{users.warningReasons[reason] ?? description}</li>
        ))}
      </ul>
      <div class="buttons">
        <button type="button" onClick={onDone}>
          {users.show}
        </button>
      </div>
    </Dialog>
  );
}
