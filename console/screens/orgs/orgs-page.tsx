import { useState } from "preact/hooks";
import { TextQueryMethod } from "../../../gen/signet/v1/list_pb.js";
import { OrgFieldName, OrgState } from "../../../gen/signet/v1/org_pb.js";
import { ActiveState } from "../../parts/active-state.tsx";
import { Blank } from "../../parts/blank.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { formatCount } from "../../parts/count.ts";
import { currentPage, ListPages, toPageQuery } from "../../parts/list-pages.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { TableArea } from "../../parts/table-area.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { search } from "../../state/location.ts";
import { toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { SearchBox } from "../users/search-box.tsx";
import { NewOrgDialog } from "./new-org-dialog.tsx";

/** All organizations, by name. Only people with a role in the instance get here. */
export function OrgsPage() {
  const { api, instance } = useSession();
  const { orgs, shell } = texts.value;
  const [isAdding, setAdding] = useState(false);
  const text = search.value.get("q") ?? "";
  const page = currentPage();
  const found = useLoad(`orgs ${text} ${page}`, (signal) =>
    api.admin.listOrgs(
      {
        query: toPageQuery(page),
        sortingColumn: OrgFieldName.NAME,
        queries: text ? [{ query: { case: "nameQuery", value: { name: text, method: CONTAINS } } }] : [],
      },
      { signal },
    ),
  );
  const { value } = found;
  const add = (
    <button type="button" onClick={() => setAdding(true)}>
      {orgs.add}
    </button>
  );
  return (
    <Page title={orgs.title} tools={instance.can("iam.org.write") && add}>
      <div class="tools">
        <SearchBox text={text} label={orgs.search} />
      </div>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {value === undefined && <Skeleton isShown={found.isSlow} />}
      {value?.result.length === 0 && <Blank text={shell.noOrgs} />}
      {value && value.result.length > 0 && (
        <TableArea label={orgs.title} isCurrent={found.isCurrent}>
          <table>
            <thead>
              <tr>
                <th scope="col">{orgs.name}</th>
                <th scope="col">{orgs.state}</th>
                <th scope="col">{orgs.created}</th>
                <th scope="col">{orgs.id}</th>
              </tr>
            </thead>
            <tbody>
              {value.result.map(({ id, name, state, details }) => (
                <tr key={id}>
                  <th scope="row">
                    <a href={toPath({ page: "org", orgId: id })}>{name}</a>
                  </th>
                  <td>
                    <ActiveState isActive={state === OrgState.ACTIVE} />
                  </td>
                  <td>
                    <Time at={details?.creationDate} />
                  </td>
                  <td>
                    <Copyable text={id} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableArea>
      )}
      {value && (
        <ListPages hasNext={Boolean(value.details?.nextPageToken)}>
          {orgs.count(formatCount(value.details?.totalResult ?? 0n))}
        </ListPages>
      )}
      {isAdding && <NewOrgDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

const CONTAINS = TextQueryMethod.CONTAINS_IGNORE_CASE;
