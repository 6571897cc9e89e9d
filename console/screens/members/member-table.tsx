import { useState } from "preact/hooks";
import type { Member } from "../../../gen/signet/v1/member_pb.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { TableArea } from "../../parts/table-area.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { toPath } from "../../state/routes.ts";
import { type GrantCalls, MemberDialog } from "./member-dialog.tsx";
import type { RoleChoice } from "./role-boxes.tsx";
import { namesOf } from "./roles.ts";

interface MemberTableProps {
  readonly label: string;
  readonly members: readonly Member[];
  readonly choices: readonly RoleChoice[];
  readonly isCurrent: boolean;
  /** Undefined if the person may not change roles. */
  readonly changes: (GrantCalls & { readonly remove: (userId: string) => Promise<unknown> }) | undefined;
  readonly onChanged: () => void;
}

/** Who has a role, with the changes that the API allows: nobody changes their own roles. */
export function MemberTable({ label, members: listed, choices, isCurrent, changes, onChanged }: MemberTableProps) {
  const { me } = useSession();
  const { members, actions } = texts.value;
  const [changed, setChanged] = useState<Member>();
  const [removed, setRemoved] = useState<Member>();
  const nameOf = (member: Member) => member.displayName || member.preferredLoginName || member.userId;
  const finish = () => {
    setChanged(undefined);
    setRemoved(undefined);
    onChanged();
  };
  return (
    <>
      <TableArea label={label} isCurrent={isCurrent}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.value.users.columns.name}</th>
              <th scope="col">{members.roles}</th>
              <th scope="col">{members.since}</th>
              {changes && (
                <th scope="col">
                  <span class="spoken">{members.change}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {listed.map((member) => (
              <tr key={member.userId}>
                <th scope="row">
                  <a href={toPath({ page: "user", orgId: member.userResourceOwner, userId: member.userId })}>
                    {nameOf(member)}
                  </a>
                  {member.email && (
                    <>
                      <br />
                      <span class="small">{member.email}</span>
                    </>
                  )}
                </th>
                <td>{namesOf(member.roles, choices)}</td>
                <td>
                  <Time at={member.details?.creationDate} />
                </td>
                {changes && (
                  <td>
                    {member.userId !== me.id && (
                      <span class="actions">
                        <button
                          type="button"
                          class="secondary"
                          aria-label={`${members.change}: ${nameOf(member)}`}
                          onClick={() => setChanged(member)}
                        >
                          {members.change}
                        </button>
                        <button
                          type="button"
                          class="secondary danger"
                          aria-label={`${actions.remove} ${nameOf(member)}`}
                          onClick={() => setRemoved(member)}
                        >
                          {actions.remove}
                        </button>
                      </span>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </TableArea>
      {changes && changed && (
        <MemberDialog
          title={members.changeOf(nameOf(changed))}
          choices={choices}
          orgId=""
          member={changed}
          calls={changes}
          onDone={finish}
          onClose={() => setChanged(undefined)}
        />
      )}
      {changes && removed && (
        <ConfirmDialog
          title={members.removeOf(nameOf(removed))}
          button={actions.remove}
          isDangerous
          change={() => changes.remove(removed.userId)}
          onDone={finish}
          onClose={() => setRemoved(undefined)}
        >
          <p>{members.removeText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
