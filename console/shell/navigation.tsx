import { texts } from "../state/language.ts";
import { route } from "../state/location.ts";
import { type InstancePage, type OrgPage, type Route, toPath } from "../state/routes.ts";
import type { offeredLinks } from "./links.ts";
import { PageIcon } from "./page-icon.tsx";

/** The pages that the person may see: beside the content on wide screens, above it on narrow ones. */
export function Navigation({ links }: { links: ReturnType<typeof offeredLinks> }) {
  const { shell } = texts.value;
  return (
    <nav aria-label={shell.navigation}>
      <ul>
        {links.org.map(({ page, to, also }) => (
          <NavLink key={page} page={page} to={to} also={also} />
        ))}
      </ul>
      {links.instance.length > 0 && (
        <ul aria-label={shell.instance} class="instance">
          {links.instance.map(({ page, to, also }) => (
            <NavLink key={page} page={page} to={to} also={also} />
          ))}
        </ul>
      )}
    </nav>
  );
}

interface NavLinkProps {
  readonly page: OrgPage | InstancePage;
  readonly to: Route;
  readonly also?: readonly Route["page"][] | undefined;
}

function NavLink({ page, to, also = [] }: NavLinkProps) {
  const isCurrent = [page, ...also].includes(route.value.page);
  return (
    <li>
      <a href={toPath(to)} aria-current={isCurrent ? "page" : undefined}>
        <PageIcon page={page} />
        {texts.value.shell.pages[page]}
      </a>
    </li>
  );
}
