import type { ComponentChildren } from "preact";
import { type User, UserState } from "../../../gen/signet/v1/user_pb.js";
import { Option } from "../../parts/field.tsx";
import { Identity } from "../../parts/identity.tsx";
import { TableArea } from "../../parts/table.tsx";
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
} as const satisfies Record<string, { readonly sort?: SortKey; readonly show: (user: User) => ComponentChildren }>;

type Column = keyof typeof COLUMNS;

const ALL_COLUMNS = namesOf(COLUMNS);

/** What this browser shows. */
const shownColumns = stored<readonly Column[]>("signet-user-columns", ["state", "lastSignIn", "created"]);

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
  const toggle = (column: Column) => {
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
  const columns = shownColumns.value;
  return (
    <TableArea label={own.title} isCurrent={isCurrent}>
      <table>
        <thead>
          <tr>
            {selection && <SelectAll users={users} selection={selection} />}
            <SortHeading label={own.columns.name} sort="name" search={search} />
            {columns.map((column) => {
              const { sort } = COLUMNS[column] as { sort?: SortKey };
              return <SortHeading key={column} label={own.columns[column]} sort={sort} search={search} />;
            })}
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.id} class={selection?.ids.has(user.id) ? "picked" : undefined}>
              {selection && <SelectOne user={user} selection={selection} />}
              <th scope="row">
                <Identity
                  name={nameOf(user)}
                  path={toPath({ page: "user", orgId, id: user.id })}
                  note={addressOf(user) || user.userName}
                  isMachine={humanOf(user) === undefined}
                />
              </th>
              {columns.map((column) => (
                <td key={column} data-label={own.columns[column]}>
                  {COLUMNS[column].show(user)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableArea>
  );
}

function SelectAll({ users, selection }: { users: readonly User[]; selection: Selection }) {
  const areAll = users.every(({ id }) => selection.ids.has(id));
  return (
    <th scope="col" class="pick">
      <input
        type="checkbox"
        aria-label={texts.value.users.selectAll}
        checked={areAll}
        onChange={() => selection.set(new Set(areAll ? [] : users.map(({ id }) => id)))}
      />
    </th>
  );
}

function SelectOne({ user, selection }: { user: User; selection: Selection }) {
  const toggle = () => {
    const next = new Set(selection.ids);
    if (!next.delete(user.id)) next.add(user.id);
    selection.set(next);
  };
  return (
    <td class="pick">
      <input
        type="checkbox"
        aria-label={texts.value.users.select(nameOf(user))}
        checked={selection.ids.has(user.id)}
        onChange={toggle}
      />
    </td>
  );
}

function SortHeading({ label, sort, search }: { label: string; sort?: SortKey | undefined; search: UserSearch }) {
  if (sort === undefined) return <th scope="col">{label}</th>;
  const isSorted = search.sort === sort;
  const direction = isSorted && search.isAscending ? "ascending" : "descending";
  const change = () => {
    // Names begin at A, times with the latest.
    const isAscending = isSorted ? !search.isAscending : sort !== "created" && sort !== "lastSignIn";
    setSearch({ sort, dir: isAscending ? "asc" : "desc", page: undefined, after: undefined });
  };
  return (
    <th scope="col" aria-sort={isSorted ? direction : undefined}>
      <button type="button" class="sort" onClick={change}>
        {label}
        <span aria-hidden="true">{isSorted ? (search.isAscending ? " ↑" : " ↓") : ""}</span>
      </button>
    </th>
  );
}
