import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../state/context.ts";
import { texts } from "../state/language.ts";
import { route } from "../state/location.ts";
import { usePermissions } from "../state/permissions.ts";
import { orgOf, type Route, toPath } from "../state/routes.ts";
import { firstOrg } from "../state/session.ts";
import { KeyHelp } from "./key-help.tsx";
import { followKeys } from "./keys.ts";
import { Logo } from "./logo.tsx";
import { OrgSwitcher } from "./org-switcher.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { SessionOver } from "./session-over.tsx";

/** What surrounds every page: the organization, the navigation, and the menu of the person. */
export function Shell({ children }: { children: ComponentChildren }) {
  const session = useSession();
  const { shell } = texts.value;
  const [showsKeys, setShowsKeys] = useState(false);
  const orgId = orgOf(route.value) ?? firstOrg(session);
  const seesUsers = usePermissions(orgId).value?.can("user.read") ?? true;
  useEffect(
    () => followKeys({ orgId, seesAllOrgs: session.seesAllOrgs, showHelp: () => setShowsKeys(true) }),
    [orgId, session],
  );
  return (
    <>
      <a class="skip" href="#main">
        {shell.skip}
      </a>
      <header>
        <a class="brand" href="/console" aria-label="Signet">
          <Logo />
        </a>
        <OrgSwitcher orgId={orgId} />
        <nav aria-label={shell.navigation}>
          {seesUsers && <NavLink to={{ page: "users", orgId }} pages={["users", "user"]} label={shell.users} />}
          <NavLink to={{ page: "org", orgId }} pages={["org"]} label={shell.settings} />
          {session.seesAllOrgs && <NavLink to={{ page: "orgs" }} pages={["orgs"]} label={shell.orgs} />}
        </nav>
        <PersonMenu onHelp={() => setShowsKeys(true)} />
      </header>
      {children}
      {showsKeys && <KeyHelp onClose={() => setShowsKeys(false)} />}
      <SessionOver />
    </>
  );
}

function NavLink({ to, pages, label }: { to: Route; pages: readonly Route["page"][]; label: string }) {
  const isCurrent = pages.includes(route.value.page);
  return (
    <a href={toPath(to)} aria-current={isCurrent ? "page" : undefined}>
      {label}
    </a>
  );
}
