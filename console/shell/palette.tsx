import { useState } from "preact/hooks";
import { OrgFieldName } from "../../gen/signet/v1/org_pb.js";
import { byName } from "../api/api.ts";
import { Dialog } from "../parts/actions.tsx";
import { contains, Finder, type Place, useFound } from "../parts/finder.tsx";
import type { PageLink } from "../routes.tsx";
import { addressOf, nameOf } from "../screens/users/describe-user.ts";
import { findUsers } from "../screens/users/find-users.ts";
import { readSearch } from "../screens/users/user-search.ts";
import { texts } from "../state/language.ts";
import { toPath } from "../state/paths.ts";
import type { Permissions } from "../state/permissions.ts";
import { NO_PERMISSIONS, useApi, useSession } from "../state/session.ts";

/** Of each kind. More are found by a longer text. */
const SHOWN = 5;

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
  const { keys, users, shell } = texts.value;
  const [text, setText] = useState("");
  const typed = text.trim();
  const found = useFound(permissions && `find ${orgId}`, typed, async (part, signal) => {
    if (part === "") return [];
    const query = { asc: true, limit: SHOWN };
    const search = { ...readSearch(new URLSearchParams({ q: part, sort: "name", dir: "asc" })), size: SHOWN };
    const [people, apps, orgs] = await Promise.all([
      permissions?.can("user.read") ? findUsers(api, search, signal) : undefined,
      permissions?.can("org.app.read")
        ? api.management.listApps({ query, queries: byName(part) }, { signal })
        : undefined,
      seesAllOrgs
        ? api.admin.listOrgs({ query, sortingColumn: OrgFieldName.NAME, queries: byName(part) }, { signal })
        : undefined,
    ]);
    return [
      ...(people?.users ?? []).slice(0, SHOWN).map((user) => ({
        ...{ path: toPath({ page: "user", orgId, id: user.id }), title: nameOf(user) },
        note: addressOf(user) || user.userName || users.title,
      })),
      ...(apps?.result ?? []).map(({ id, name }) => ({
        ...{ path: toPath({ page: "app", orgId, id }), title: name, note: shell.pages.apps },
      })),
      ...(orgs?.result ?? []).map(({ id, name }) => ({
        ...{ path: toPath({ page: "overview", orgId: id }), title: name, note: shell.pages.orgs },
      })),
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
