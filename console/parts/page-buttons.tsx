import { texts } from "../state/language.ts";
import { search, setSearch } from "../state/location.ts";

/** The number of objects on a page of a short list. */
export const PAGE_SIZE = 50;

/** The page that the address says. */
export function currentPage(): number {
  return Math.max(1, Number(search.value.get("page")) || 1);
}

/** The query of the API for a page of a short list. */
export function toPageQuery(page: number, asc = true) {
  return { asc, limit: PAGE_SIZE, offset: BigInt((page - 1) * PAGE_SIZE) };
}

/** The way to the other pages of a short list; nothing if there are none. */
export function PageButtons({ hasNext }: { hasNext: boolean }) {
  const { users } = texts.value;
  const page = currentPage();
  if (page === 1 && !hasNext) return null;
  const show = (next: number) => setSearch({ page: next === 1 ? undefined : String(next) });
  return (
    <div class="pager">
      <button type="button" class="secondary" disabled={page === 1} onClick={() => show(page - 1)}>
        {users.previous}
      </button>
      <button type="button" class="secondary" disabled={!hasNext} onClick={() => show(page + 1)}>
        {users.next}
      </button>
    </div>
  );
}
