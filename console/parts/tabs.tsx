import type { ComponentChildren } from "preact";

/** A tab of a page: what it is called in the address, its title, and what it shows. The first one has no name. */
interface Tab {
  readonly name: string;
  readonly title: string;
  readonly show: () => ComponentChildren;
}

interface TabsProps {
  /** For screen readers. */
  readonly label: string;
  /** The address of the first tab. */
  readonly path: string;
  readonly current: string | undefined;
  readonly tabs: readonly (Tab | false)[];
}

/** The parts of a long page, each at its own address. */
export function Tabs({ label, path, current = "", tabs }: TabsProps) {
  const offered = tabs.filter((tab) => tab !== false);
  const shown = offered.find(({ name }) => name === current) ?? offered[0];
  return (
    <>
      <nav class="tabs" aria-label={label}>
        <ul>
          {offered.map(({ name, title }) => (
            <li key={name}>
              <a href={name === "" ? path : `${path}/${name}`} aria-current={name === shown?.name ? "page" : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div key={shown?.name}>{shown?.show()}</div>
    </>
  );
}
