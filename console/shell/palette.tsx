import { useState } from "preact/hooks";
import { Dialog } from "../parts/actions.tsx";
import { contains, Finder, type Place, useFound } from "../parts/finder.tsx";
import type { Choice } from "../parts/pick-field.tsx";
import type { PageLink } from "../routes.tsx";
import { findApps, findOrgs, findPeople, SHOWN } from "../screens/users/choices.ts";
import { texts } from "../state/language.ts";
import { type Route, toPath } from "../state/paths.ts";
import type { Permissions } from "../state/permissions.ts";
import { NO_PERMISSIONS, useApi, useSession } from "../state/session.ts";

interface PaletteProps {
  readonly orgId: string;
  /** Undefined until they are known. */
  readonly permissions: Permissions | undefined;
  readonly links: readonly PageLink[];
  readonly onClose: () => void;
}

/** Finds pages, settings, users, applications and organizations, with Ctrl-K. */
export function Palette({ orgId, permissions, links, onClose }: PaletteProps) {
  const { seesAllOrgs } = useSession();
  const api = useApi(orgId);
  const { keys, shell } = texts.value;
  const [text, setText] = useState("");
  const typed = text.trim();
  const found = useFound(permissions && `find ${orgId}`, typed, async (part, signal) => {
    if (part === "") return [];
    const offered = (isOffered: boolean | undefined, find: typeof findOrgs) =>
      isOffered ? find(api, part, signal) : [];
    const [people, apps, orgs] = await Promise.all([
      offered(permissions?.can("user.read"), findPeople),
      offered(permissions?.can("org.app.read"), findApps),
      offered(seesAllOrgs, findOrgs),
    ]);
    const to = (choices: readonly Choice[], toRoute: (id: string) => Route) =>
      choices.map(({ value, ...choice }) => ({ path: toPath(toRoute(value)), ...choice }));
    return [
      ...to(people, (id) => ({ page: "user", orgId, id })),
      ...to(apps, (id) => ({ page: "app", orgId, id })),
      ...to(orgs, (id) => ({ page: "overview", orgId: id })),
    ];
  });
  const pages = links.map(({ path, title, group }) => ({ path, title, note: group && shell.groups[group] }));
  const known = [...pages, ...settingsOf(orgId, permissions ?? NO_PERMISSIONS)].filter(({ title }) =>
    contains(title, typed),
  );
  const places = typed === "" ? pages : [...known.slice(0, 2 * SHOWN), ...found.places];
  return (
    <Dialog title={keys.find} onClose={onClose}>
      <Finder
        label={keys.findLabel}
        text={text}
        onText={setText}
        places={places}
        none={found.isKnown && keys.nothing}
        problem={found.problem}
        onGone={onClose}
      />
    </Dialog>
  );
}

/** Where the settings of an organization are, by the names that their fields have. */
function settingsOf(orgId: string, permissions: Permissions): readonly Place[] {
  const { signInPage, orgs, shell } = texts.value;
  const branding = toPath({ page: "signInPage", orgId });
  const policy = toPath({ page: "signInPage", orgId, tab: "policy" });
  const org = toPath({ page: "org", orgId });
  const of = (path: string, note: string, titles: readonly string[]) => titles.map((title) => ({ path, title, note }));
  return [
    ...(permissions.can("policy.read")
      ? [
          ...of(branding, signInPage.branding, [...Object.values(signInPage.fields), signInPage.images]),
          ...of(policy, signInPage.login, [...Object.values(signInPage.settings), signInPage.lifetimes]),
        ]
      : []),
    ...of(org, shell.pages.org, [orgs.rename, orgs.deactivate, orgs.members, orgs.remove]),
  ];
}
