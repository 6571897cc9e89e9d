import { type ComponentChildren, Fragment } from "preact";
import type { Loaded } from "../state/use-load.ts";
import { ProblemNote } from "./screen.tsx";

/** A column of a table: its heading, and what it shows of a row. */
export type Column<Row> = readonly [
  heading: string,
  show: (row: Row) => ComponentChildren,
  options?: {
    readonly isSpoken?: boolean;
    readonly class?: string;
    /** In place of the heading, such as a button that sorts. */
    readonly control?: ComponentChildren;
    readonly order?: "ascending" | "descending" | undefined;
  },
];

interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly (Column<Row> | false | undefined)[];
  /** The position of the column that names the row; negative if none does. By default, the first one. */
  readonly nameAt?: number;
  readonly isPicked?: (row: Row) => boolean;
  /** What is shown below a row. */
  readonly detailsOf?: (row: Row) => ComponentChildren;
  /** Whether the rows belong to the current search. */
  readonly isCurrent?: boolean;
}

export function Table<Row>({ label, rows, keyOf, columns, isPicked, detailsOf, ...props }: TableProps<Row>) {
  const { nameAt = 0, isCurrent = true } = props;
  const shown = columns.filter((column) => column !== false && column !== undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it (WCAG 2.1.1)
    <section class="table" aria-label={label} aria-busy={!isCurrent} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {shown.map(([heading, , { isSpoken, class: name, control, order } = {}]) => (
              <th key={heading} scope="col" class={name} aria-sort={order}>
                {control ?? (isSpoken ? <span class="spoken">{heading}</span> : heading)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={keyOf(row)}>
              <tr class={isPicked?.(row) ? "picked" : undefined}>{toCells(row, shown, nameAt)}</tr>
              {detailsOf?.(row)}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function toCells<Row>(row: Row, columns: readonly Column<Row>[], nameAt: number) {
  return columns.map(([heading, show, options], index) =>
    index === nameAt ? (
      <th key={heading} scope="row">
        {show(row)}
      </th>
    ) : (
      <td key={heading} class={options?.class} data-label={options?.isSpoken ? undefined : heading}>
        {show(row)}
      </td>
    ),
  );
}

interface RowsProps<Item> {
  readonly found: Loaded<readonly Item[]>;
  /** In place of an empty list. */
  readonly none?: string;
  readonly isOrdered?: boolean;
  readonly children: (item: Item) => ComponentChildren;
}

/** A short list within a section. */
export function Rows<Item>({ found, none, isOrdered = false, children }: RowsProps<Item>) {
  const List = isOrdered ? "ol" : "ul";
  return (
    <>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {none && found.value?.length === 0 && <p class="quiet">{none}</p>}
      <List class="rows">{found.value?.map(children)}</List>
    </>
  );
}

interface RowProps {
  readonly term?: ComponentChildren;
  /** What can be done with it. */
  readonly action?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** What is less important, on a line of its own below the rest. */
export function SmallLine({ children }: { children: ComponentChildren }) {
  return (
    <>
      <br />
      <span class="small">{children}</span>
    </>
  );
}

export function Row({ term, action, children }: RowProps) {
  return (
    <li>
      {term && <span class="term">{term}</span>}
      <span class="value">{children}</span>
      {action}
    </li>
  );
}
