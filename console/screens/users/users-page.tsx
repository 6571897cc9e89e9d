import { useState } from "preact/hooks";
import { Blank } from "../../parts/blank.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { search as parameters } from "../../state/location.ts";
import { usePermissions } from "../../state/permissions.ts";
import { toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { ColumnMenu } from "./column-menu.tsx";
import { Filters } from "./filters.tsx";
import { findUsers } from "./find-users.ts";
import { NewUserDialog } from "./new-user-dialog.tsx";
import { Pager } from "./pager.tsx";
import { SearchBox } from "./search-box.tsx";
import { isNarrowed, readSearch } from "./user-search.ts";
import { UserTable } from "./user-table.tsx";

export function UsersPage({ orgId }: { orgId: string }) {
  const { api } = useSession();
  const { users: own, shell } = texts.value;
  const search = readSearch(parameters.value);
  const allowed = usePermissions(orgId);
  const permissions = allowed.value;
  const found = useLoad(`users ${orgId} ${JSON.stringify(search)}`, (signal) => findUsers(api, orgId, search, signal));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const mayChange = permissions?.can("user.write") ?? false;
  const [isAdding, setAdding] = useState(false);
  const add = (
    <div class="actions">
      <button type="button" onClick={() => setAdding(true)}>
        {own.add}
      </button>
      <a class="button secondary" href={toPath({ page: "import", orgId })}>
        {shell.pages.import}
      </a>
    </div>
  );
  const { value } = found;
  // The permissions decide what is above the list. Until they arrive, one placeholder stands for the whole page; then
  // another stands for the list alone, so that neither moves.
  const isSettled = permissions !== undefined || allowed.problem !== undefined;
  const chosen = value?.users.filter(({ id }) => selected.has(id)) ?? [];
  return (
    <Page title={own.title} tools={mayChange && add}>
      {!isSettled && <Skeleton key="page" isShown={allowed.isSlow} />}
      {isSettled && (
        <div class="tools">
          <SearchBox text={search.text} label={own.search} />
          <Filters search={search} />
          <ColumnMenu />
        </div>
      )}
      {permissions && mayChange && (
        <BulkBar
          orgId={orgId}
          selected={chosen}
          permissions={permissions}
          onDone={() => {
            setSelected(new Set());
            found.reload();
          }}
        />
      )}
      <ProblemNote
        problem={found.problem}
        onRetry={() => {
          found.reload();
          if (allowed.problem) allowed.reload();
        }}
      />
      {isSettled && value === undefined && <Skeleton key="list" isShown={found.isSlow} />}
      {isSettled && value !== undefined && (
        <>
          {value.users.length === 0 && <Blank picture="people" text={isNarrowed(search) ? own.noMatch : own.noneYet} />}
          {value.users.length > 0 && (
            <UserTable
              orgId={orgId}
              users={value.users}
              search={search}
              isCurrent={found.isCurrent}
              selection={mayChange ? { ids: selected, set: setSelected } : undefined}
            />
          )}
          <Pager search={search} found={value} />
        </>
      )}
      {isAdding && <NewUserDialog orgId={orgId} onClose={() => setAdding(false)} />}
    </Page>
  );
}
