import type { ComponentChildren } from "preact";
import { type User, UserState } from "../../../gen/signet/v1/user_pb.js";
import { Option } from "../../parts/field.tsx";
import { Identity } from "../../parts/identity.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { setSearch } from "../../state/location.ts";
import { toPath } from "../../state/paths.ts";
import { stored } from "../../state/preferences.ts";
import { nameIn, namesOf } from "../../state/tables.ts";
import { addressOf, humanOf, nameOf } from "./describe-user.ts";
import { type SortKey, STATES, type UserSearch } from "./user-search.ts";

/** The columns besides the name, in their order. */
const COLUMNS = {
  userName: { sort: "userName", show: (user) => user.userName },
  email: { sort: "email", show: (user) => addressOf(user) || (humanOf(user) && texts.value.user.noAddress) },
  phone: { show: (user) => humanOf(user)?.phone?.phone },
  state: { sort: "state", show: (user) => <State user={user} /> },
  lastSignIn: { sort: "lastSignIn", show: (user) => <Time at={user.lastSignIn} /> },
  created: { sort: "created", show: (user) => <Time at={user.details?.creationDate} /> },
  id: { show: (user) => <code>{user.id}</code> },
} as const satisfies Record<string, UserColumn>;

interface UserColumn {
  readonly sort?: SortKey;
  readonly show: (user: User) => ComponentChildren;
}

type ColumnName = keyof typeof COLUMNS;

const ALL_COLUMNS = namesOf(COLUMNS);

const shownColumns = stored<readonly ColumnName[]>("signet-user-columns", ["state", "lastSignIn", "created"]);

/** The colors of states; none for a user who is inactive. */
const STATE_COLORS: Readonly<Partial<Record<UserState, string>>> = {
  [UserState.ACTIVE]: "good",
  [UserState.LOCKED]: "error",
  [UserState.INITIAL]: "pending",
};

export function State({ user }: { user: User }) {
  const name = nameIn(STATES, user.state);
  return <span class={`state ${STATE_COLORS[user.state] ?? ""}`}>{name && texts.value.user.states[name]}</span>;
}

/** Chooses the columns of the table. */
export function ColumnMenu() {
  const { users } = texts.value;
  const shown = shownColumns.value;
  const toggle = (column: ColumnName) => {
    const next = ALL_COLUMNS.filter((each) => (each === column ? !shown.includes(each) : shown.includes(each)));
    shownColumns.value = next;
  };
  return (
    <details class="columns">
      <summary>{users.columnsMenu}</summary>
      <fieldset>
        <legend class="spoken">{users.columnsMenu}</legend>
        {ALL_COLUMNS.map((column) => (
          <Option key={column} isChosen={shown.includes(column)} onInput={() => toggle(column)}>
            {users.columns[column]}
          </Option>
        ))}
      </fieldset>
    </details>
  );
}

interface UserTableProps {
  readonly orgId: string;
  readonly users: readonly User[];
  readonly search: UserSearch;
  readonly isCurrent: boolean;
  /** Undefined if the person may not change users. */
  readonly selection: Selection | undefined;
}

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly set: (ids: ReadonlySet<string>) => void;
}

export function UserTable({ orgId, users, search, isCurrent, selection }: UserTableProps) {
  const { users: own } = texts.value;
  const order = search.isAscending ? "ascending" : "descending";
  const column = (name: keyof typeof own.columns, { sort, show }: UserColumn): Column<User> => {
    const label = own.columns[name];
    const control = sort && <SortButton label={label} sort={sort} search={search} />;
    return [label, show, { control, order: search.sort === sort ? order : undefined }];
  };
  return (
    <Table
      label={own.title}
      rows={users}
      keyOf={({ id }) => id}
      nameAt={selection ? 1 : 0}
      isCurrent={isCurrent}
      isPicked={({ id }) => selection?.ids.has(id) ?? false}
      columns={[
        selection && [
          own.selectAll,
          (user) => <SelectOne user={user} selection={selection} />,
          { isSpoken: true, class: "pick", control: <SelectAll users={users} selection={selection} /> },
        ],
        column("name", { sort: "name", show: (user) => <UserName orgId={orgId} user={user} /> }),
        ...shownColumns.value.map((name) => column(name, COLUMNS[name])),
      ]}
    />
  );
}

function UserName({ orgId, user }: { orgId: string; user: User }) {
  return (
    <Identity
      name={nameOf(user)}
      path={toPath({ page: "user", orgId, id: user.id })}
      note={addressOf(user) || user.userName}
      isMachine={humanOf(user) === undefined}
    />
  );
}

function SelectAll({ users, selection }: { users: readonly User[]; selection: Selection }) {
  const areAll = users.every(({ id }) => selection.ids.has(id));
  const toggle = () => selection.set(new Set(areAll ? [] : users.map(({ id }) => id)));
  return <input type="checkbox" aria-label={texts.value.users.selectAll} checked={areAll} onChange={toggle} />;
}

function SelectOne({ user, selection }: { user: User; selection: Selection }) {
  const toggle = () => {
    const next = new Set(selection.ids);
    if (!next.delete(user.id)) next.add(user.id);
    selection.set(next);
  };
  const label = texts.value.users.select(nameOf(user));
  return <input type="checkbox" aria-label={label} checked={selection.ids.has(user.id)} onChange={toggle} />;
}

function SortButton({ label, sort, search }: { label: string; sort: SortKey; search: UserSearch }) {
  const isSorted = search.sort === sort;
  const change = () => {
    // Names begin at A, times with the latest.
    const isAscending = isSorted ? !search.isAscending : sort !== "created" && sort !== "lastSignIn";
    setSearch({ sort, dir: isAscending ? "asc" : "desc", page: undefined, after: undefined });
  };
  return (
    <button type="button" class="sort" onClick={change}>
      {label}
      <span aria-hidden="true">{isSorted ? (search.isAscending ? " ↑" : " ↓") : ""}</span>
    </button>
  );
}
