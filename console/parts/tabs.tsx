import type { ComponentChildren } from "preact";
import { texts } from "../state/language.ts";
import { route } from "../state/location.ts";
import { toFirstTab } from "../state/paths.ts";

/** A tab of a page: what it is called in the address, its title, and what it shows. The first one has no name. */
interface Tab {
  readonly name: string;
  readonly title: string;
  readonly show: () => ComponentChildren;
}

/** The parts of a long page, each at its own address. */
export function Tabs({ tabs }: { tabs: readonly (Tab | false)[] }) {
  const { value: current } = route;
  const path = toFirstTab(current);
  const offered = tabs.filter((tab) => tab !== false);
  const shown = offered.find(({ name }) => "tab" in current && name === current.tab) ?? offered[0];
  return (
    <>
      <nav class="tabs" aria-label={texts.value.user.tabs.label}>
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
