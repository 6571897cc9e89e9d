import { useState } from "preact/hooks";
import { MemberFieldName } from "../../../gen/signet/v1/member_pb.js";
import { formatCount } from "../../parts/count.ts";
import { currentPage, ListPages, toPageQuery } from "../../parts/list-pages.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { firstOrg } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { type Grant, MemberDialog } from "./member-dialog.tsx";
import { MemberTable } from "./member-table.tsx";
import { instanceRoleChoices } from "./roles.ts";

/** The people and machines with a role in the instance. */
export function InstanceMembersPage() {
  const session = useSession();
  const { api } = session;
  const { members } = texts.value;
  const [isAdding, setAdding] = useState(false);
  const page = currentPage();
  const found = useLoad(`instance members ${page}`, (signal) =>
    api.admin.listIAMMembers(
      {
        query: toPageQuery(page),
        sortingColumn: MemberFieldName.CREATION_DATE,
      },
      { signal },
    ),
  );
  const { value } = found;
  const mayChange = session.instance.can("iam.member.write");
  const changes = {
    add: (grant: Grant) => api.admin.addIAMMember(grant),
    update: (grant: Grant) => api.admin.updateIAMMember(grant),
    remove: (userId: string) => api.admin.removeIAMMember({ userId }),
  };
  const add = (
    <button type="button" onClick={() => setAdding(true)}>
      {members.add}
    </button>
  );
  return (
    <Page title={members.title} tools={mayChange && add}>
      <p class="quiet">{members.text}</p>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {value === undefined && <Skeleton isShown={found.isSlow} />}
      {value && (
        <>
          <MemberTable
            label={members.title}
            members={value.result}
            choices={instanceRoleChoices(texts.value)}
            isCurrent={found.isCurrent}
            changes={mayChange ? changes : undefined}
            onChanged={found.reload}
          />
          <ListPages hasNext={Boolean(value.details?.nextPageToken)}>
            {texts.value.orgs.count(formatCount(value.details?.totalResult ?? 0n))}
          </ListPages>
        </>
      )}
      {isAdding && (
        <MemberDialog
          title={members.add}
          choices={instanceRoleChoices(texts.value)}
          orgId={firstOrg(session)}
          member={undefined}
          calls={changes}
          onDone={() => {
            setAdding(false);
            found.reload();
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  );
}
