import { useState } from "preact/hooks";
import type { ImportHumanUserResponse_Warning } from "../../../gen/signet/v1/management_pb.js";
import { type Problem, toProblem } from "../../api/problem.ts";
import { Dialog } from "../../parts/actions.tsx";
import { Button } from "../../parts/button.tsx";
import { FormDialog } from "../../parts/edit-form.tsx";
import { Field, Option, Select } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import { toPath } from "../../state/paths.ts";
import type { Permissions } from "../../state/permissions.ts";
import { useApi } from "../../state/session.ts";
import { namesOf } from "../../state/tables.ts";
import { type Bound, useForm } from "../../state/use-form.ts";
import { wordsFor } from "../../texts/words-for.ts";
import { describeAdded, MessagesNote, NEW_PERSON, PersonFields, PersonMessages, toHuman } from "./new-person.tsx";
import { TYPES, type TypeFilter } from "./user-search.ts";

const EMPTY = { ...NEW_PERSON, userName: "", name: "", description: "", role: "" };

/** Only a person can have warnings. */
interface Added {
  readonly userId: string;
  readonly warnings?: readonly ImportHumanUserResponse_Warning[];
  /** Why the user did not get the role. */
  readonly roleProblem?: Problem;
}

interface NewUserDialogProps {
  readonly orgId: string;
  readonly permissions: Permissions;
  readonly onClose: () => void;
}

/** Makes a person or a machine user, with a role if it is given one, and shows it. */
export function NewUserDialog({ orgId, permissions, onClose }: NewUserDialogProps) {
  const { management } = useApi(orgId);
  const { users, user, machine, done, newUser } = texts.value;
  const [type, setType] = useState<TypeFilter>("human");
  const [added, setAdded] = useState<Added>();
  const show = (id: string) => go(toPath({ page: "user", orgId, id }));
  const isMachine = type === "machine";
  const form = useForm({
    stored: EMPTY,
    async save({ userName, name, description, role, ...person }): Promise<Added> {
      const { userId, warnings = [] }: Added = isMachine
        ? await management.addMachineUser({ name, userName, description })
        : await management.importHumanUser(toHuman(person, userName));
      try {
        if (role !== "") await management.addOrgMember({ userId, roles: [role] });
        return { userId, warnings };
      } catch (thrown) {
        return { userId, warnings, roleProblem: toProblem(thrown) };
      }
    },
    done: (values) =>
      isMachine ? done.added(values.name) : describeAdded(`${values.firstName} ${values.lastName}`, values),
    onSaved: (found) => (found.warnings?.length || found.roleProblem ? setAdded(found) : show(found.userId)),
  });
  if (added !== undefined) return <AddedDialog {...added} onDone={() => show(added.userId)} />;
  return (
    <FormDialog
      title={users.add}
      button={!isMachine && form.values.way === "invite" ? newUser.submit.invite : newUser.submit.add}
      form={form}
      onClose={onClose}
    >
      <TypeChoice type={type} onChoose={setType} />
      {isMachine ? (
        <>
          <Field label={machine.name} {...form.field("name")} isRequired />
          <Field label={user.fields.userName} {...form.field("userName")} isRequired />
          <Field label={machine.description} {...form.field("description")} />
        </>
      ) : (
        <PersonFields form={form}>
          <Field label={user.fields.userName} hint={users.userNameHint} {...form.field("userName")} />
        </PersonFields>
      )}
      {permissions.can("org.member.write") && <RoleSelect isMachine={isMachine} {...form.field("role")} />}
      {isMachine ? (
        <MessagesNote title={newUser.messages} lines={[newUser.messageTexts.none]} />
      ) : (
        <PersonMessages {...form.values} />
      )}
    </FormDialog>
  );
}

function TypeChoice({ type, onChoose }: { type: TypeFilter; onChoose: (type: TypeFilter) => void }) {
  const { users } = texts.value;
  return (
    <fieldset class="chips">
      <legend class="spoken">{users.kind}</legend>
      {namesOf(TYPES).map((each) => (
        <Option key={each} group="type" isChosen={each === type} onInput={() => onChoose(each)}>
          {users.kinds[each]}
        </Option>
      ))}
    </fieldset>
  );
}

function RoleSelect({ isMachine, ...bound }: Bound<string> & { readonly isMachine: boolean }) {
  const { newUser, user, colon } = texts.value;
  const choices = Object.entries(user.roles.choices);
  const options = choices.map(([role, { name, meaning }]) => [role, `${name}${colon} ${meaning}`] as const);
  const none = isMachine ? newUser.noMachineRole : newUser.noRole;
  return <Select label={newUser.role} options={[["", none], ...options]} {...bound} />;
}

/** What was changed, has no effect or failed. The user exists, so each way out of the dialog leads there. */
function AddedDialog({ warnings = [], roleProblem, onDone }: Added & { readonly onDone: () => void }) {
  const { users, newUser } = texts.value;
  const reasons = new Map(warnings.map(({ reason, description }) => [reason, description]));
  return (
    <Dialog title={users.add} onClose={onDone}>
      {roleProblem && <p>{newUser.withoutRole}</p>}
      <ProblemNote problem={roleProblem} />
      {warnings.length > 0 && <p>{users.added}</p>}
      <ul class="lines">
        {[...reasons].map(([reason, description]) => (
          <li key={reason}>{wordsFor(users.warningReasons, reason, description)}</li>
        ))}
      </ul>
      <div class="buttons">
        <Button label={users.show} look="main" onClick={onDone} />
      </div>
    </Dialog>
  );
}
