import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { texts } from "../../state/language.ts";
import { useAction } from "../../state/use-action.ts";
import { RoleBoxes, type RoleChoice } from "./role-boxes.tsx";
import { UserPicker } from "./user-picker.tsx";

interface MemberDialogProps {
  readonly title: string;
  readonly choices: readonly RoleChoice[];
  /** The organization in which a new member is searched. */
  readonly orgId: string;
  /** The member whose roles change; undefined for a new one. */
  readonly member: { readonly userId: string; readonly roles: readonly string[] } | undefined;
  readonly save: (userId: string, roles: string[]) => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Adds a member, or changes the roles of one. */
export function MemberDialog({ title, choices, orgId, member, save, onDone, onClose }: MemberDialogProps) {
  const { actions, members } = texts.value;
  const [userId, setUserId] = useState(member?.userId ?? "");
  const [roles, setRoles] = useState<readonly string[]>(member?.roles ?? []);
  const action = useAction(() => save(userId, [...roles]));
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (await action.run()) onDone();
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
