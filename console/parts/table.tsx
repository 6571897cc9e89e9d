import type { ComponentChildren } from "preact";
import type { Loaded } from "../state/use-load.ts";
import { ProblemNote } from "./screen.tsx";

/** A column of a table: its heading, and what it shows of a row. */
export type Column<Row> = readonly [
  heading: string,
  show: (row: Row) => ComponentChildren,
  options?: { readonly isSpoken?: boolean; readonly class?: string },
];

interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The first one names the row. */
  readonly columns: readonly (Column<Row> | false)[];
  /** Whether no column names the row. */
  readonly isUnnamed?: boolean;
  /** Whether the rows belong to the current search. */
  readonly isCurrent?: boolean;
}

export function Table<Row>({ label, rows, keyOf, columns, isUnnamed, isCurrent = true }: TableProps<Row>) {
  const shown = columns.filter((column) => column !== false);
  return (
    <TableArea label={label} isCurrent={isCurrent}>
      <table>
        <thead>
          <tr>
            {shown.map(([heading, , options]) => (
              <th key={heading} scope="col">
                {options?.isSpoken ? <span class="spoken">{heading}</span> : heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {shown.map(([heading, show, options], index) =>
                index === 0 && !isUnnamed ? (
                  <th key={heading} scope="row">
                    {show(row)}
                  </th>
                ) : (
                  <td key={heading} class={options?.class} data-label={options?.isSpoken ? undefined : heading}>
                    {show(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </TableArea>
  );
}

interface TableAreaProps {
  readonly label: string;
  readonly isCurrent: boolean;
  readonly children: ComponentChildren;
}

/** The area in which a wide table is scrolled. */
export function TableArea({ label, isCurrent, children }: TableAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it (WCAG 2.1.1)
    <section class="table" aria-label={label} aria-busy={!isCurrent} tabIndex={0}>
      {children}
    </section>
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

export function Row({ term, action, children }: RowProps) {
  return (
    <li>
      {term && <span class="term">{term}</span>}
      <span class="value">{children}</span>
      {action}
    </li>
  );
}
