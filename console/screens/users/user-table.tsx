import type { User } from "../../../gen/signet/v1/user_pb.js";
import { TableArea } from "../../parts/table-area.tsx";
import { texts } from "../../state/language.ts";
import { setSearch } from "../../state/location.ts";
import { toPath } from "../../state/routes.ts";
import { COLUMNS, shownColumns } from "./columns.tsx";
import { nameOf } from "./describe-user.ts";
import type { SortKey, UserSearch } from "./user-search.ts";

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
  const areAll = selection !== undefined && users.every(({ id }) => selection.ids.has(id));
  const toggle = (id: string) => {
    const next = new Set(selection?.ids);
    if (!next.delete(id)) next.add(id);
    selection?.set(next);
  };
  return (
    <TableArea label={own.title} isCurrent={isCurrent}>
      <table>
        <thead>
          <tr>
            {selection && (
              <th scope="col" class="pick">
                <input
                  type="checkbox"
                  aria-label={own.selectAll}
                  checked={areAll}
                  onChange={() => selection.set(new Set(areAll ? [] : users.map(({ id }) => id)))}
                />
              </th>
            )}
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
              {selection && (
                <td class="pick">
                  <input
                    type="checkbox"
                    aria-label={own.select(nameOf(user))}
                    checked={selection.ids.has(user.id)}
                    onChange={() => toggle(user.id)}
                  />
                </td>
              )}
              <th scope="row">
                <a href={toPath({ page: "user", orgId, userId: user.id })}>{nameOf(user)}</a>
              </th>
              {columns.map((column) => (
                <td key={column}>{COLUMNS[column].show(user)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableArea>
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
