import { AppState } from "../../../gen/signet/v1/app_pb.js";
import { TextQueryMethod } from "../../../gen/signet/v1/list_pb.js";
import { inOrg } from "../../api/api.ts";
import { ActiveState } from "../../parts/active-state.tsx";
import { Blank } from "../../parts/blank.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { currentPage, ListPages, toPageQuery } from "../../parts/list-pages.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { TableArea } from "../../parts/table-area.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { search } from "../../state/location.ts";
import { usePermissions } from "../../state/permissions.ts";
import { NEW, toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { SearchBox } from "../users/search-box.tsx";
import { kindOf } from "./kinds.ts";

/** The applications of an organization, the latest first. */
export function AppsPage({ orgId }: { orgId: string }) {
  const { api } = useSession();
  const { apps, orgs } = texts.value;
  const text = search.value.get("q") ?? "";
  const page = currentPage();
  const mayAdd = usePermissions(orgId).value?.can("org.app.write") ?? false;
  const found = useLoad(`apps ${orgId} ${text} ${page}`, (signal) =>
    api.management.listApps(
      {
        query: toPageQuery(page, false),
        queries: text ? [{ query: { case: "nameQuery", value: { name: text, method: CONTAINS } } }] : [],
      },
      inOrg(orgId, signal),
    ),
  );
  const { value } = found;
  const add = (
    <a class="button" href={toPath({ page: "app", orgId, id: NEW })}>
      {apps.add}
    </a>
  );
  return (
    <Page title={apps.title} tools={mayAdd && add}>
      <div class="tools">
        <SearchBox text={text} label={apps.search} />
      </div>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {value === undefined && found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      {value?.result.length === 0 && <Blank text={text ? apps.noneFound : apps.none} />}
      {value && value.result.length > 0 && (
        <TableArea label={apps.title} isCurrent={found.isCurrent}>
          <table>
            <thead>
              <tr>
                <th scope="col">{orgs.name}</th>
                <th scope="col">{apps.kind}</th>
                <th scope="col">{orgs.state}</th>
                <th scope="col">{orgs.created}</th>
                <th scope="col">{apps.clientId}</th>
              </tr>
            </thead>
            <tbody>
              {value.result.map(({ id, name, state, details, config }) => (
                <tr key={id}>
                  <th scope="row">
                    <a href={toPath({ page: "app", orgId, id })}>{name}</a>
                  </th>
                  <td>{apps.kinds[kindOf(config.value?.appType)].name}</td>
                  <td>
                    <ActiveState isActive={state === AppState.ACTIVE} />
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
      <ListPages hasNext={Boolean(value?.details?.nextPageToken)} />
    </Page>
  );
}

const CONTAINS = TextQueryMethod.CONTAINS_IGNORE_CASE;
