import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../state/context.ts";
import { texts } from "../state/language.ts";
import { route } from "../state/location.ts";
import { NO_PERMISSIONS } from "../state/permission-set.ts";
import { usePermissions } from "../state/permissions.ts";
import { orgOf } from "../state/routes.ts";
import { firstOrg } from "../state/session.ts";
import { KeyHelp } from "./key-help.tsx";
import { followKeys } from "./keys.ts";
import { offeredLinks } from "./links.ts";
import { Logo } from "./logo.tsx";
import { Navigation } from "./navigation.tsx";
import { OrgSwitcher } from "./org-switcher.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { SessionOver } from "./session-over.tsx";

/** What surrounds every page: the organization, the navigation, and the menu of the person. */
export function Shell({ children }: { children: ComponentChildren }) {
  const session = useSession();
  const { shell } = texts.value;
  const [showsKeys, setShowsKeys] = useState(false);
  const orgId = orgOf(route.value) ?? firstOrg(session);
  const permissions = usePermissions(orgId).value;
  const links = offeredLinks(orgId, permissions ?? NO_PERMISSIONS);
  useEffect(() => followKeys({ links, showHelp: () => setShowsKeys(true) }), [orgId, permissions]);
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
        <PersonMenu onHelp={() => setShowsKeys(true)} />
      </header>
      <div class="frame">
        <Navigation links={links} />
        {children}
      </div>
      {showsKeys && <KeyHelp links={links} onClose={() => setShowsKeys(false)} />}
      <SessionOver />
    </>
  );
}
