import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../state/language.ts";
import { search, setSearch } from "../state/location.ts";
import { type Loaded, useLoad } from "../state/use-load.ts";
import { usePaused } from "../state/use-paused.ts";
import { Button } from "./button.tsx";
import { readPage } from "./page-number.ts";
import { Page, ProblemNote, Skeleton } from "./screen.tsx";
import { type Column, Table } from "./table.tsx";
import { formatCount } from "./values.tsx";

const PAGE_SIZE = 50;

/**
 * Loads the page of a list that the address says.
 *
 * @param key Everything else that the list depends on.
 */
export function useList<T>(
  key: string,
  load: (query: { asc: boolean; limit: number; offset: bigint }, signal: AbortSignal) => Promise<T>,
  { asc = true } = {},
): Loaded<T> {
  const page = readPage(search.value);
  const query = { asc, limit: PAGE_SIZE, offset: BigInt((page - 1) * PAGE_SIZE) };
  return useLoad(`${key} ${page}`, (signal) => load(query, signal));
}

/** What the calls of lists return. */
interface Listed<Row> {
  readonly result: readonly Row[];
  readonly details?: { readonly totalResult: bigint; readonly nextPageToken: string } | undefined;
}

interface ListProps<Row> {
  readonly label: string;
  readonly found: Loaded<Listed<Row>>;
  readonly columns: readonly (Column<Row> | false)[];
  readonly keyOf: (row: Row) => string;
  /** In place of an empty list. */
  readonly none: ComponentChildren;
  /** Says how many there are. */
  readonly count?: (total: string) => string;
}

/** A page of a list, and the way to the others. */
export function List<Row>({ label, found, columns, keyOf, none, count }: ListProps<Row>) {
  const { value, problem } = found;
  return (
    <>
      <ProblemNote problem={problem} onRetry={found.reload} />
      {value === undefined && problem === undefined && <Skeleton isShown={found.isSlow} />}
      {value?.result.length === 0 && none}
      {value && value.result.length > 0 && (
        <Table label={label} rows={value.result} keyOf={keyOf} columns={columns} isCurrent={found.isCurrent} />
      )}
      {value && (
        <Pages hasNext={Boolean(value.details?.nextPageToken)}>
          {count?.(formatCount(value.details?.totalResult ?? 0n))}
        </Pages>
      )}
    </>
  );
}

/** The buttons for other pages; nothing if there is nothing to say and no other page. */
function Pages({ hasNext, children }: { hasNext: boolean; children: string | undefined }) {
  const { previous, next } = texts.value.users;
  const page = readPage(search.value);
  if (children === undefined && page === 1 && !hasNext) return null;
  const show = (number: number) => setSearch({ page: number === 1 ? undefined : String(number) });
  return (
    <div class="pager">
      {children !== undefined && <p role="status">{children}</p>}
      <PageButton label={previous} isOffered={page > 1} onClick={() => show(page - 1)} />
      <PageButton label={next} isOffered={hasNext} onClick={() => show(page + 1)} />
    </div>
  );
}

/** Leads to another page. If the browser disabled it while it has the focus, the focus would be lost. */
export function PageButton({ label, isOffered, onClick }: { label: string; isOffered: boolean; onClick: () => void }) {
  return <Button label={label} isInert={!isOffered} onClick={() => isOffered && onClick()} />;
}

interface ListScreenProps<Row> extends Omit<ListProps<Row>, "label" | "none"> {
  readonly title: string;
  readonly none: { readonly text: string; readonly picture?: "rows" | "letter" | "people" };
  /** Adds an object: on a page, or in a dialog. */
  readonly add?: false | { readonly label: string; readonly to: string | ((close: () => void) => ComponentChildren) };
  /** Search and filters. */
  readonly tools?: ComponentChildren;
  /** Above the list. */
  readonly children?: ComponentChildren;
}

/** A screen with a list of objects. */
export function ListScreen<Row>({ title, none, add, tools, children, ...list }: ListScreenProps<Row>) {
  const [isAdding, setAdding] = useState(false);
  return (
    <Page title={title} tools={add && <AddButton {...add} onClick={() => setAdding(true)} />}>
      {tools && <div class="tools">{tools}</div>}
      {children}
      <List {...list} label={title} none={<Blank {...none} />} />
      {isAdding && add && typeof add.to === "function" && add.to(() => setAdding(false))}
    </Page>
  );
}

function AddButton({ label, to, onClick }: { label: string; to: unknown; onClick: () => void }) {
  if (typeof to === "string") {
    return (
      <a class="button" href={to}>
        {label}
      </a>
    );
  }
  return <Button label={label} look="main" onClick={onClick} />;
}

/** Pictures of what is not there yet, drawn in 64 by 48. */
const PICTURES = {
  rows: "M8 7h48v9H8zM8 19.5h48v9H8zM8 32h48v9H8zM13 11.5h12M13 24h19M13 36.5h8",
  letter: "M8 10h48v28H8zM8 11l24 17 24-17M8 37l17-15M56 37 39 22",
  people:
    "M32 24a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM16 42c0-9 7-13 16-13s16 4 16 13M14 22a5 5 0 1 0 0-10M50 22a5 5 0 1 1 0-10",
} as const;

/** In place of an empty list: a picture, and what the list is for. */
export function Blank({ picture = "rows", text }: { picture?: keyof typeof PICTURES; text: string }) {
  return (
    <div class="blank">
      <svg viewBox="0 0 64 48" aria-hidden="true">
        <path d={PICTURES[picture]} />
      </svg>
      <p>{text}</p>
    </div>
  );
}

/** One box for names, addresses, phone numbers and ids. */
export function SearchBox({ text, label }: { text: string; label: string }) {
  const [typed, setTyped] = useState(text);
  // Another address, such as an earlier one, replaces what is typed. The own one does not: more may have been typed since.
  const searched = useRef(text);
  useEffect(() => {
    if (text === searched.current) return;
    searched.current = text;
    setTyped(text);
  }, [text]);
  const search = () => {
    searched.current = typed.trim();
    // Further texts of one search replace its address, so that the browser's button goes back before it.
    setSearch({ q: searched.current || undefined, page: undefined, after: undefined }, { replace: true });
  };
  const paused = usePaused(typed);
  useEffect(() => {
    if (paused === typed && typed.trim() !== text) search();
  }, [paused, typed]);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          aria-keyshortcuts="/"
          title={texts.value.keys.searchHint}
          value={typed}
          maxLength={500}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}

interface ChipsProps<Name extends string> {
  readonly legend: string;
  /** The parameter of the address. */
  readonly parameter: string;
  readonly names: readonly Name[];
  readonly labels: Readonly<Record<Name, string>>;
  readonly current: Name | undefined;
  /** Other parameters, which no longer apply. */
  readonly cleared?: Readonly<Record<string, undefined>>;
}

/** A filter as buttons; a second press removes it. */
export function Chips<Name extends string>({ legend, ...chips }: ChipsProps<Name>) {
  return (
    <fieldset class="chips">
      <legend class="spoken">{legend}</legend>
      <ChipButtons {...chips} />
    </fieldset>
  );
}

export function ChipButtons<Name extends string>(props: Omit<ChipsProps<Name>, "legend">) {
  const { parameter, names, labels, current, cleared = { page: undefined } } = props;
  return (
    <>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={name === current}
          onClick={() => setSearch({ ...cleared, [parameter]: name === current ? undefined : name })}
        >
          {labels[name]}
        </button>
      ))}
    </>
  );
}
