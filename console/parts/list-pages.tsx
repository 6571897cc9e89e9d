import type { ComponentChildren } from "preact";
import { texts } from "../state/language.ts";
import { search, setSearch } from "../state/location.ts";
import { readPage } from "./page-number.ts";

/** The number of objects on a page of a short list. */
const PAGE_SIZE = 50;

/** The page that the address says. */
export function currentPage(): number {
  return readPage(search.value);
}

/** The query of the API for a page of a short list. */
export function toPageQuery(page: number, asc = true) {
  return { asc, limit: PAGE_SIZE, offset: BigInt((page - 1) * PAGE_SIZE) };
}

interface ListPagesProps {
  readonly hasNext: boolean;
  /** Says how many there are. */
  readonly children?: ComponentChildren;
}

/** The way to the other pages of a short list; nothing if there is nothing to say and no other page. */
export function ListPages({ hasNext, children }: ListPagesProps) {
  const { previous, next } = texts.value.users;
  const page = currentPage();
  if (children === undefined && page === 1 && !hasNext) return null;
  const show = (number: number) => setSearch({ page: number === 1 ? undefined : String(number) });
  return (
    <div class="pager">
      {children !== undefined && <p role="status">{children}</p>}
      <button type="button" class="secondary" disabled={page === 1} onClick={() => show(page - 1)}>
        {previous}
      </button>
      <button type="button" class="secondary" disabled={!hasNext} onClick={() => show(page + 1)}>
        {next}
      </button>
    </div>
  );
}
