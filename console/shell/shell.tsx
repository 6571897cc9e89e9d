import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog, DialogButtons } from "../parts/actions.tsx";
import { Button } from "../parts/button.tsx";
import { Facts } from "../parts/screen.tsx";
import { offeredLinks, type PageLink, ROUTES } from "../routes.tsx";
import { announce, announcement, silence } from "../state/announce.ts";
import { texts } from "../state/language.ts";
import { forgetUnsaved, route } from "../state/location.ts";
import { isOfInstancePage, orgOf } from "../state/paths.ts";
import { usePermissions } from "../state/permissions.ts";
import { firstOrg, isSessionOver, NO_PERMISSIONS, renewSession, useSession } from "../state/session.ts";
import { namesOf } from "../state/tables.ts";
import { followKeys } from "./keys.ts";
import { PersonMenu, Switcher } from "./menus.tsx";

/** Loaded when it is opened. */
type PaletteScreen = typeof import("./palette.tsx").Palette;

/** What surrounds every page: the organization, the navigation, and the menu of the person. */
export function Shell({ children }: { children: ComponentChildren }) {
  const session = useSession();
  const { shell, keys, problems } = texts.value;
  const [showsKeys, setShowsKeys] = useState(false);
  const { value: current } = route;
  const last = useRef(firstOrg(session));
  const orgId = orgOf(current) ?? last.current;
  last.current = orgId;
  const isOfInstance = isOfInstancePage(current);
  const permissions = usePermissions(orgId).value;
  const links = offeredLinks(orgId, permissions ?? NO_PERMISSIONS);
  const allLinks = [...links.org, ...links.instance];
  const [Palette, setPalette] = useState<PaletteScreen>();
  const find = async () => {
    try {
      const file = await import("./palette.tsx");
      setPalette(() => file.Palette);
    } catch {
      announce(problems.unreachable);
    }
  };
  const showHelp = () => setShowsKeys(true);
  useEffect(() => followKeys({ links: allLinks, showHelp, find }), [orgId, permissions]);
  return (
    <>
      <a class="skip" href="#main">
        {shell.skip}
      </a>
      <header>
        <a class="brand" href="/console" aria-label="Signet">
          <Logo />
        </a>
        <button type="button" class="drawer secondary" popovertarget="navigation" aria-label={shell.navigation}>
          <Icon path="M3 5h14M3 10h14M3 15h14" />
        </button>
        <Switcher orgId={orgId} instancePath={links.instance[0]?.path} isOfInstance={isOfInstance} />
        <button type="button" class="find secondary" aria-keyshortcuts="Control+K Meta+K" onClick={find}>
          <Icon path="M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.500 13.500l4 4" />
          <span>{keys.find}</span> <kbd>Ctrl K</kbd>
        </button>
        <PersonMenu onHelp={showHelp} />
      </header>
      <div class="frame">
        <Navigation links={links} isOfInstance={isOfInstance} />
        {children}
      </div>
      {Palette && (
        <Palette orgId={orgId} permissions={permissions} links={allLinks} onClose={() => setPalette(undefined)} />
      )}
      {showsKeys && <KeyHelp links={allLinks} onClose={() => setShowsKeys(false)} />}
      <SessionOver />
      <StatusRegion />
    </>
  );
}

/** Appears if the session ends while the person changes something, instead of leaving the page at once. */
function SessionOver() {
  const { settings } = useSession();
  const { signIn } = texts.value;
  if (!isSessionOver.value) return null;
  const close = () => {
    isSessionOver.value = false;
  };
  const renew = () => {
    forgetUnsaved();
    renewSession(settings);
  };
  return (
    <Dialog title={signIn.over} onClose={close}>
      <p>{signIn.overText}</p>
      <DialogButtons onClose={close}>
        <Button label={signIn.signIn} look="main" onClick={renew} />
      </DialogButtons>
    </Dialog>
  );
}

function KeyHelp({ links, onClose }: { links: readonly PageLink[]; onClose: () => void }) {
  const { keys } = texts.value;
  const rows = [
    ["Ctrl K", keys.find],
    ["/", keys.search],
    ["↓ ↑", keys.list],
    ["g g", keys.orgs],
    ...links.map(({ key, title }) => [`g ${key}`, title] as const),
    ["?", keys.help],
    ["Esc", keys.close],
  ] as const;
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <Facts facts={rows.map(([key, meaning]) => [<kbd>{key}</kbd>, meaning])} />
      <DialogButtons onClose={onClose} />
    </Dialog>
  );
}

/** The pages of the organization, or of the instance, beside the content; on narrow screens, a drawer. */
function Navigation({ links, isOfInstance }: { links: ReturnType<typeof offeredLinks>; isOfInstance: boolean }) {
  const { shell } = texts.value;
  const drawer = useRef<HTMLElement>(null);
  const { value: current } = route;
  useEffect(() => drawer.current?.hidePopover(), [current]);
  const shown = isOfInstance ? links.instance : links.org;
  const names = ["", ...namesOf(shell.groups)] as const;
  const groups = names.filter((name) => shown.some(({ group }) => group === name));
  const [other] = isOfInstance ? links.org : links.instance;
  return (
    <nav
      id="navigation"
      class={isOfInstance ? "sidebar instance" : "sidebar"}
      popover="auto"
      ref={drawer}
      aria-label={isOfInstance ? shell.instance : shell.navigation}
    >
      {isOfInstance && <p class="group-title level">{shell.instance}</p>}
      {groups.map((group) => (
        <div key={group} class="links-group">
          {group !== "" && (
            <h2 class="group-title" id={`group-${group}`}>
              {shell.groups[group]}
            </h2>
          )}
          <ul aria-labelledby={group === "" ? undefined : `group-${group}`}>
            {shown.filter((link) => link.group === group).map(toItem)}
          </ul>
        </div>
      ))}
      {other && (
        <a class="other-level" href={other.path}>
          {isOfInstance ? shell.toOrg : shell.toInstance}
        </a>
      )}
    </nav>
  );
}

function toItem({ page, path, icon, title }: PageLink) {
  const { page: current } = route.value;
  const isCurrent = page === current || (current !== "missing" && ROUTES[current].within === page);
  return (
    <li key={page}>
      <a href={path} aria-current={isCurrent ? "page" : undefined}>
        <Icon path={icon} />
        {title}
      </a>
    </li>
  );
}

/** As long as it takes to read a sentence twice. */
const SHOWN_MS = 6_000;

/** Shows for a while what the page has done. Screen readers read it, because the region itself is always there. */
function StatusRegion() {
  const { value } = announcement;
  useEffect(() => {
    const timer = setTimeout(silence, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return (
    <div class="announcement" role="status">
      {value && <p key={value}>{value.text}</p>}
    </div>
  );
}

function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

function Logo() {
  return (
    <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="11" />
      <path d="M15.6 8.9c-.7-1.2-2-1.9-3.6-1.9-2 0-3.6 1-3.6 2.6 0 3.6 7.4 1.6 7.4 5 0 1.5-1.6 2.4-3.7 2.4-1.9 0-3.3-.8-3.9-2.1" />
    </svg>
  );
}
