import { useState } from "preact/hooks";
import { FormDialog } from "../../parts/edit-form.tsx";
import { IdField } from "../../parts/pick-field.tsx";
import { RoleBoxes, type RoleChoice } from "../../parts/role-boxes.tsx";
import { texts } from "../../state/language.ts";
import { type Bound, useForm } from "../../state/use-form.ts";
import { orById, useUserChoices } from "../users/choices.ts";
import { type Granted, PlacedCredentialsDialog } from "./placed-credentials-dialog.tsx";

/** The roles of a user. `endCredentials`: whether the credentials that others have placed end first. */
interface Grant {
  readonly userId: string;
  readonly roles: string[];
  readonly endCredentials?: boolean;
}

/** Calls of the API that give roles. */
export interface GrantCalls {
  readonly add: (grant: Grant) => Promise<Granted>;
  readonly update: (grant: Grant) => Promise<Granted>;
}

interface MemberDialogProps {
  readonly title: string;
  readonly choices: readonly RoleChoice[];
  /** The organization in which a new member is searched. */
  readonly orgId?: string;
  /** The member whose roles change; undefined for a new one. */
  readonly member?: Grant;
  readonly calls: GrantCalls;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Adds a member, or changes the roles of one, and shows which credentials others have placed. */
export function MemberDialog({ title, choices, orgId = "", member, calls, onChanged, onClose }: MemberDialogProps) {
  const { actions, members } = texts.value;
  const [placed, setPlaced] = useState<Granted["placedCredentials"]>([]);
  const onDone = () => {
    onClose();
    onChanged();
  };
  const form = useForm({
    stored: { userId: member?.userId ?? "", roles: member?.roles ?? [] },
    async save(grant) {
      const { placedCredentials } = await (member === undefined ? calls.add(grant) : calls.update(grant));
      return grant.roles.every((role) => member?.roles.includes(role)) ? [] : placedCredentials;
    },
    onSaved: (found) => (found.length > 0 ? setPlaced(found) : onDone()),
  });
  const { userId, roles } = form.values;
  if (placed.length > 0) {
    const end = () => calls.update({ userId, roles, endCredentials: true });
    return <PlacedCredentialsDialog credentials={placed} end={end} onDone={onDone} />;
  }
  return (
    <FormDialog
      title={title}
      button={member === undefined ? members.add : actions.save}
      form={form}
      isIncomplete={userId === "" || roles.length === 0}
      onClose={onClose}
    >
      {member === undefined && <UserPicker orgId={orgId} {...form.field("userId")} />}
      <RoleBoxes label={members.roles} choices={choices} {...form.field("roles")} />
    </FormDialog>
  );
}

/** A user of the organization by the name or address, or any user by the id. */
function UserPicker({ orgId, ...bound }: Bound<string> & { readonly orgId: string }) {
  const { user: label, userHint: placeholder } = texts.value.members;
  const { find, ...choices } = useUserChoices(orgId);
  return <IdField {...{ label, placeholder, ...choices, find: orById(find), ...bound }} />;
}
