import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { toOptions } from "../../parts/field.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { Blank, ChipButtons, PageButton, SearchBox } from "../../parts/list-screen.tsx";
import { Page, ProblemNote, Skeleton } from "../../parts/screen.tsx";
import { formatCount, formatNumber } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { search as parameters, setSearch } from "../../state/location.ts";
import { toPath } from "../../state/paths.ts";
import { type Permissions, usePermissions } from "../../state/permissions.ts";
import { useApi } from "../../state/session.ts";
import { namesOf } from "../../state/tables.ts";
import { type Loaded, useLoad } from "../../state/use-load.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { ColumnMenu, type Selection, UserTable } from "./columns.tsx";
import {
  type FoundUsers,
  findUsers,
  isCountable,
  isNarrowed,
  readSearch,
  SIZES,
  STATES,
  skippedBy,
  TYPES,
  type UserSearch,
} from "./user-search.ts";

const NewUserDialog = lazy(() => import("./new-user-dialog.tsx"), "NewUserDialog", "dialog");

export function UsersPage({ orgId }: { orgId: string }) {
  const api = useApi(orgId);
  const own = texts.value.users;
  const search = readSearch(parameters.value);
  const allowed = usePermissions(orgId);
  const permissions = allowed.value;
  const found = useLoad(`users ${orgId} ${JSON.stringify(search)}`, (signal) => findUsers(api, search, signal));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const mayChange = permissions?.can("user.write") ?? false;
  // The permissions decide what is above the list. Until they arrive, one placeholder stands for the whole page; then
  // another stands for the list alone, so that neither moves.
  const isSettled = permissions !== undefined || allowed.problem !== undefined;
  const chosen = found.value?.users.filter(({ id }) => selected.has(id)) ?? [];
  const onDone = () => {
    setSelected(new Set());
    found.reload();
  };
  const onRetry = () => {
    found.reload();
    if (allowed.problem) allowed.reload();
  };
  const selection = mayChange ? { ids: selected, set: setSelected } : undefined;
  return (
    <Page title={own.title} tools={permissions && mayChange && <AddTools orgId={orgId} permissions={permissions} />}>
      {!isSettled && <Skeleton key="page" isShown={allowed.isSlow} />}
      {isSettled && (
        <div class="tools">
          <SearchBox text={search.text} label={own.search} />
          <Filters search={search} />
          <ColumnMenu />
        </div>
      )}
      <ProblemNote problem={found.problem} onRetry={onRetry} />
      {isSettled && <FoundList orgId={orgId} search={search} found={found} selection={selection} />}
      {permissions && mayChange && <BulkBar {...{ orgId, permissions, selected: chosen, onDone }} />}
    </Page>
  );
}

function AddTools({ orgId, permissions }: { orgId: string; permissions: Permissions }) {
  const { users, shell } = texts.value;
  const [isAdding, setAdding] = useState(false);
  return (
    <div class="actions">
      <Button label={users.add} look="main" onClick={() => setAdding(true)} />
      <a class="button secondary" href={toPath({ page: "import", orgId })}>
        {shell.pages.import}
      </a>
      {isAdding && <NewUserDialog orgId={orgId} permissions={permissions} onClose={() => setAdding(false)} />}
    </div>
  );
}

interface FoundListProps {
  readonly orgId: string;
  readonly search: UserSearch;
  readonly found: Loaded<FoundUsers>;
  readonly selection: Selection | undefined;
}

function FoundList({ orgId, search, found, selection }: FoundListProps) {
  const { noMatch, noneYet } = texts.value.users;
  const { value, isCurrent } = found;
  if (value === undefined) return <Skeleton key="list" isShown={found.isSlow} />;
  const { users } = value;
  return (
    <>
      {users.length === 0 && <Blank picture="people" text={isNarrowed(search) ? noMatch : noneYet} />}
      {users.length > 0 && <UserTable {...{ orgId, users, search, isCurrent, selection }} />}
      <Pager search={search} found={value} />
    </>
  );
}

/** Buttons that narrow the list; a second press removes the filter. */
function Filters({ search }: { search: UserSearch }) {
  const { users, user } = texts.value;
  const cleared = { page: undefined, after: undefined };
  const states = { names: namesOf(STATES), labels: user.states, current: search.state };
  const types = { names: namesOf(TYPES), labels: users.types, current: search.type };
  return (
    <fieldset class="chips">
      <legend class="spoken">{users.filters}</legend>
      <ChipButtons parameter="state" {...states} cleared={cleared} />
      <ChipButtons parameter="type" {...types} cleared={cleared} />
    </fieldset>
  );
}

/** Which users the page shows of how many, and the way to the others. */
function Pager({ search, found }: { search: UserSearch; found: FoundUsers }) {
  const { users } = texts.value;
  const { page, size } = search;
  const first = skippedBy(search) + 1;
  const total = formatCount(found.total);
  const previous = () => {
    const isKnown = isCountable({ page: page - 1, size });
    // The address of a page far away contains where it begins, which only the history knows.
    if (isKnown) setSearch({ page: page === 2 ? undefined : String(page - 1), after: undefined });
    else history.back();
  };
  const next = () => {
    const after = isCountable({ page: page + 1, size }) ? undefined : found.nextPage;
    setSearch({ page: String(page + 1), after });
  };
  return (
    <div class="pager">
      <p role="status">
        {found.users.length === 0
          ? users.none
          : users.range(formatNumber(first), formatNumber(first + found.users.length - 1), total)}
      </p>
      <label>
        {users.pageSize}
        <select
          value={String(size)}
          onChange={(event) => setSearch({ size: event.currentTarget.value, page: undefined, after: undefined })}
        >
          {toOptions(SIZES.map((each) => [String(each), String(each)]))}
        </select>
      </label>
      <PageButton label={users.previous} isOffered={page > 1} onClick={previous} />
      <PageButton label={users.next} isOffered={found.nextPage !== ""} onClick={next} />
    </div>
  );
}
