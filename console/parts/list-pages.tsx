import type { ComponentChildren } from "preact";
import { texts } from "../state/language.ts";
import { setSearch } from "../state/location.ts";

interface ListPagesProps {
  /** From 1. */
  readonly page: number;
  readonly hasNext: boolean;
  /** Says how many there are. */
  readonly children: ComponentChildren;
}

/** The way to the other pages of a short list. The number of the page is in the address. */
export function ListPages({ page, hasNext, children }: ListPagesProps) {
  const { previous, next } = texts.value.users;
  return (
    <div class="pager">
      <p role="status">{children}</p>
      <button
        type="button"
        class="secondary"
        disabled={page === 1}
        onClick={() => setSearch({ page: page === 2 ? undefined : String(page - 1) })}
      >
        {previous}
      </button>
      <button type="button" class="secondary" disabled={!hasNext} onClick={() => setSearch({ page: String(page + 1) })}>
        {next}
      </button>
    </div>
  );
}

/** The number of the page in the address; the first one for anything else. */
export function readPage(parameters: URLSearchParams): number {
  const page = Number(parameters.get("page"));
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}
