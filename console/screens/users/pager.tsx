import { formatCount } from "../../parts/count.ts";
import { formatNumber } from "../../parts/time.tsx";
import { texts } from "../../state/language.ts";
import { setSearch } from "../../state/location.ts";
import type { FoundUsers } from "./find-users.ts";
import { isCountable, SIZES, skippedBy, type UserSearch } from "./user-search.ts";

/** Which users the page shows of how many, and the way to the others. */
export function Pager({ search, found }: { search: UserSearch; found: FoundUsers }) {
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
          {SIZES.map((each) => (
            <option key={each} value={String(each)}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="secondary" disabled={page === 1} onClick={previous}>
        {users.previous}
      </button>
      <button type="button" class="secondary" disabled={found.nextPage === ""} onClick={next}>
        {users.next}
      </button>
    </div>
  );
}
