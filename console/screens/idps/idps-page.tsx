import { IDPOwnerType, IDPState } from "../../../gen/signet/v1/idp_config_pb.js";
import { ActiveState } from "../../parts/active-state.tsx";
import { Blank } from "../../parts/blank.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { currentPage, ListPages, toPageQuery } from "../../parts/list-pages.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { TableArea } from "../../parts/table-area.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { NEW, toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { KindIcon } from "./kind-icon.tsx";
import { KINDS, kindOf } from "./kinds.ts";
import { toCalls } from "./provider-calls.ts";
import { useOwner } from "./use-owner.ts";

/** The providers with which users of the organization, or of all organizations, can sign in. */
export function IdpsPage({ orgId }: { orgId?: string }) {
  const { api, seesAllOrgs } = useSession();
  const { idps, orgs, apps } = texts.value;
  const owner = useOwner(orgId);
  const page = currentPage();
  const found = useLoad(`idps ${orgId} ${page}`, (signal) =>
    toCalls(api, orgId === undefined).list({ query: toPageQuery(page) }, owner.call(signal)),
  );
  const { value } = found;
  const add = (
    <a class="button" href={owner.pathTo(NEW)}>
      {idps.add}
    </a>
  );
  return (
    <Page title={orgId === undefined ? idps.ofInstance : idps.title} tools={owner.mayChange && add}>
      {orgId !== undefined && seesAllOrgs && (
        <p>
          <a href={toPath({ page: "instanceIdps" })}>{idps.ofInstance}</a>
        </p>
      )}
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {value === undefined && found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      {value?.result.length === 0 && <Blank text={idps.none} />}
      {value && value.result.length > 0 && (
        <TableArea label={idps.title} isCurrent={found.isCurrent}>
          <table>
            <thead>
              <tr>
                <th scope="col">{orgs.name}</th>
                <th scope="col">{apps.kind}</th>
                <th scope="col">{orgs.state}</th>
                <th scope="col">{idps.owner}</th>
                <th scope="col">{orgs.id}</th>
              </tr>
            </thead>
            <tbody>
              {value.result.map((idp) => {
                const kind = kindOf(idp.type);
                const isOwn = orgId === undefined || idp.owner === IDPOwnerType.IDP_OWNER_TYPE_ORG;
                return (
                  <tr key={idp.id}>
                    <th scope="row">
                      <span class="named">
                        <KindIcon icon={KINDS[kind].icon} />
                        {isOwn ? <a href={owner.pathTo(idp.id)}>{idp.name}</a> : idp.name}
                      </span>
                    </th>
                    <td>{idps.kinds[kind]}</td>
                    <td>
                      <ActiveState isActive={idp.state === IDPState.IDP_STATE_ACTIVE} />
                    </td>
                    <td>{idp.owner === IDPOwnerType.IDP_OWNER_TYPE_SYSTEM ? idps.instance : idps.org}</td>
                    <td>
                      <Copyable text={idp.id} />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </TableArea>
      )}
      <ListPages hasNext={Boolean(value?.details?.nextPageToken)} />
    </Page>
  );
}
