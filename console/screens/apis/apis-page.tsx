import { inOrg } from "../../api/api.ts";
import { Blank } from "../../parts/blank.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { currentPage, ListPages, toPageQuery } from "../../parts/list-pages.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { TableArea } from "../../parts/table-area.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { forgetUnsaved, go } from "../../state/location.ts";
import { usePermissions } from "../../state/permissions.ts";
import { NEW, toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { ApiForm } from "./api-form.tsx";

/** The APIs that applications of an organization call. */
export function ApisPage({ orgId }: { orgId: string }) {
  const { api } = useSession();
  const { apis, orgs } = texts.value;
  const page = currentPage();
  const mayAdd = usePermissions(orgId).value?.can("org.app.write") ?? false;
  const found = useLoad(`apis ${orgId} ${page}`, (signal) =>
    api.management.listAPIs({ query: toPageQuery(page) }, inOrg(orgId, signal)),
  );
  const { value } = found;
  const add = (
    <a class="button" href={toPath({ page: "api", orgId, id: NEW })}>
      {apis.add}
    </a>
  );
  return (
    <Page title={apis.title} tools={mayAdd && add}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {value === undefined && found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      {value?.result.length === 0 && <Blank text={apis.none} />}
      {value && value.result.length > 0 && (
        <TableArea label={apis.title} isCurrent={found.isCurrent}>
          <table>
            <thead>
              <tr>
                <th scope="col">{orgs.name}</th>
                <th scope="col">{apis.identifier}</th>
                <th scope="col">{apis.scopes}</th>
              </tr>
            </thead>
            <tbody>
              {value.result.map(({ id, name, identifier, scopes }) => (
                <tr key={id}>
                  <th scope="row">
                    <a href={toPath({ page: "api", orgId, id })}>{name}</a>
                  </th>
                  <td>
                    <Copyable text={identifier} />
                  </td>
                  <td>{scopes.join(" ")}</td>
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

export function NewApiPage({ orgId }: { orgId: string }) {
  const { api } = useSession();
  const { apis } = texts.value;
  return (
    <Page
      title={apis.add}
      tools={
        <a class="back" href={toPath({ page: "apis", orgId })}>
          {apis.title}
        </a>
      }
    >
      <ApiForm
        orgId={orgId}
        stored={{ name: "", identifier: "", scopes: [], introspectorAppIds: [] }}
        isNew
        mayChange
        save={async (values) => {
          const { id } = await api.management.addAPI(values, inOrg(orgId));
          forgetUnsaved();
          go(toPath({ page: "api", orgId, id }));
        }}
        onSaved={() => {}}
      />
    </Page>
  );
}
