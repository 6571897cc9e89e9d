import type { ComponentChildren } from "preact";

interface TableAreaProps {
  readonly label: string;
  /** Whether the table belongs to the current search. */
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
