import { useState } from "preact/hooks";
import { inOrg } from "../../api/api.ts";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { type Grant, MemberDialog } from "../members/member-dialog.tsx";
import { MemberTable } from "../members/member-table.tsx";
import { orgRoleChoices } from "../members/roles.ts";
import { Section } from "../user/section.tsx";

/** More are rare, and are found among the users. */
const SHOWN = 100;

/** Who has a role in the organization. */
export function MembersSection({ orgId, mayChange }: { orgId: string; mayChange: boolean }) {
  const { api } = useSession();
  const { orgs, members, user } = texts.value;
  const [isAdding, setAdding] = useState(false);
  const call = inOrg(orgId);
  const found = useLoad(`members ${orgId}`, async (signal) => {
    return (await api.management.listOrgMembers({ query: { asc: true, limit: SHOWN } }, inOrg(orgId, signal))).result;
  });
  const changes = {
    add: (grant: Grant) => api.management.addOrgMember(grant, call),
    update: (grant: Grant) => api.management.updateOrgMember(grant, call),
    remove: (userId: string) => api.management.removeOrgMember({ userId }, call),
  };
  const choices = orgRoleChoices(texts.value);
  return (
    <Section title={orgs.members}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value?.length === 0 && <p class="quiet">{user.none}</p>}
      {found.value && found.value.length > 0 && (
        <MemberTable
          label={members.roles}
          members={found.value}
          choices={choices}
          isCurrent={found.isCurrent}
          changes={mayChange ? changes : undefined}
          onChanged={found.reload}
        />
      )}
      {mayChange && (
        <div class="buttons">
          <button type="button" class="secondary" onClick={() => setAdding(true)}>
            {members.add}
          </button>
        </div>
      )}
      {isAdding && (
        <MemberDialog
          title={members.add}
          choices={choices}
          orgId={orgId}
          member={undefined}
          calls={changes}
          onDone={() => {
            setAdding(false);
            found.reload();
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Section>
  );
}
