import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { texts } from "../../state/language.ts";
import { useAction } from "../../state/use-action.ts";
import { type Granted, PlacedCredentialsDialog } from "./placed-credentials-dialog.tsx";
import { RoleBoxes, type RoleChoice } from "./role-boxes.tsx";
import { UserPicker } from "./user-picker.tsx";

/** The roles of a user. `endCredentials`: whether the credentials that others have placed end first. */
export interface Grant {
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
  readonly orgId: string;
  /** The member whose roles change; undefined for a new one. */
  readonly member: { readonly userId: string; readonly roles: readonly string[] } | undefined;
  readonly calls: GrantCalls;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Adds a member, or changes the roles of one, and shows which credentials others have placed. */
export function MemberDialog({ title, choices, orgId, member, calls, onDone, onClose }: MemberDialogProps) {
  const { actions, members } = texts.value;
  const [userId, setUserId] = useState(member?.userId ?? "");
  const [roles, setRoles] = useState<readonly string[]>(member?.roles ?? []);
  const [placed, setPlaced] = useState<Granted["placedCredentials"]>([]);
  const grant = { userId, roles: [...roles] };
  const action = useAction(async () => {
    const { placedCredentials } = await (member === undefined ? calls.add(grant) : calls.update(grant));
    const isGiven = roles.some((role) => !member?.roles.includes(role));
    if (isGiven && placedCredentials.length > 0) setPlaced(placedCredentials);
    else onDone();
  });
  if (placed.length > 0) {
    const end = () => calls.update({ ...grant, endCredentials: true });
    return <PlacedCredentialsDialog credentials={placed} end={end} onDone={onDone} />;
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        {member === undefined && <UserPicker orgId={orgId} chosen={userId} onChoose={setUserId} />}
        <RoleBoxes label={members.roles} choices={choices} chosen={roles} onChange={setRoles} />
        <ProblemNote problem={action.problem} />
        <div class="buttons">
          <button type="submit" disabled={action.isRunning || userId === "" || roles.length === 0}>
            {member === undefined ? members.add : actions.save}
          </button>
          <button type="button" class="secondary" onClick={onClose}>
            {actions.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
