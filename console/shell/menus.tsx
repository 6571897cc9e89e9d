import { useRef, useState } from "preact/hooks";
import { OrgFieldName } from "../../gen/signet/v1/org_pb.js";
import { byName } from "../api/api.ts";
import { Button } from "../parts/button.tsx";
import { Select } from "../parts/field.tsx";
import { contains, Finder, useFound } from "../parts/finder.tsx";
import { initialsOf } from "../parts/identity.tsx";
import { chosenLanguage, LANGUAGES, texts } from "../state/language.ts";
import { route } from "../state/location.ts";
import { inOtherOrg, toPath } from "../state/paths.ts";
import { theme } from "../state/preferences.ts";
import { orgChanges, useApi, useSession } from "../state/session.ts";
import { useLoad } from "../state/use-load.ts";

/** The most organizations that the menu shows; others are found by their name. */
const SHOWN = 20;

interface SwitcherProps {
  /** Whose organization the page shows, or showed last. */
  readonly orgId: string;
  /** The first page of the instance, if the person may see one. */
  readonly instancePath: string | undefined;
  /** Whether the page belongs to the instance. */
  readonly isOfInstance: boolean;
}

/** Says which organization the page belongs to, or that it belongs to the instance, and leads to others. */
export function Switcher(props: SwitcherProps) {
  const { orgId, isOfInstance } = props;
  const { management } = useApi(orgId);
  const { shell } = texts.value;
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const current = useLoad(`org ${orgId} ${orgChanges.value}`, async (signal) => {
    const { org } = await management.getMyOrg({}, { signal });
    return org?.name ?? "";
  });
  const ofOrg = current.isCurrent ? (current.value ?? shell.unknownOrg) : "…";
  const name = isOfInstance ? shell.instance : ofOrg;
  const label = isOfInstance ? shell.instance : shell.orgIs(ofOrg);
  return (
    <>
      <button
        type="button"
        class={isOfInstance ? "org secondary instance" : "org secondary"}
        popovertarget="org-menu"
        aria-label={label}
      >
        <span>{name}</span>
      </button>
      <div
        id="org-menu"
        class="menu"
        popover="auto"
        ref={menu}
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {isOpen && <Choice {...props} onGone={() => menu.current?.hidePopover()} />}
      </div>
    </>
  );
}

function Choice({ orgId, instancePath, isOfInstance, onGone }: SwitcherProps & { readonly onGone: () => void }) {
  const { api, orgs, seesAllOrgs } = useSession();
  const { shell } = texts.value;
  const [name, setName] = useState("");
  const { value: from } = route;
  const found = useFound("orgs", name, async (text, signal) => {
    const request = { query: { asc: true, limit: SHOWN }, sortingColumn: OrgFieldName.NAME, queries: byName(text) };
    const listed = seesAllOrgs
      ? (await api.admin.listOrgs(request, { signal })).result
      : orgs.filter((org) => contains(org.name, text));
    return listed.slice(0, SHOWN).map((org) => ({
      ...{ path: toPath(inOtherOrg(from, org.id)), title: org.name },
      isCurrent: !isOfInstance && org.id === orgId,
    }));
  });
  const isInstanceFound = instancePath !== undefined && contains(shell.instance, name);
  const instance = { path: instancePath ?? "", title: shell.instance, note: shell.forAll, isCurrent: isOfInstance };
  return (
    <Finder
      label={shell.findOrg}
      text={name}
      onText={setName}
      places={isInstanceFound ? [...found.places, instance] : found.places}
      none={found.isKnown && shell.noOrgs}
      problem={found.problem}
      onGone={onGone}
    />
  );
}

/** Who has signed in, and what the person prefers in this browser. */
export function PersonMenu({ onHelp }: { onHelp: () => void }) {
  const { me, signOut } = useSession();
  const { shell } = texts.value;
  const initials = initialsOf(me.name);
  return (
    <>
      <button
        type="button"
        class="person secondary"
        popovertarget="person-menu"
        aria-label={`${initials}, ${shell.menuOf(me.name)}`}
      >
        {initials}
      </button>
      <div id="person-menu" class="menu" popover="auto">
        <p>
          <strong>{me.name}</strong>
        </p>
        <ul class="links">
          <li>
            <a href="/ui/account">{shell.account}</a>
          </li>
        </ul>
        <Preferences />
        <div class="buttons">
          <button type="button" class="secondary" popovertarget="person-menu" onClick={onHelp}>
            {shell.keys}
          </button>
          <Button label={shell.signOut} onClick={signOut} />
        </div>
      </div>
    </>
  );
}

function Preferences() {
  const { shell } = texts.value;
  const languages = Object.entries(LANGUAGES).map(([value, { name }]) => [value, name] as const);
  return (
    <>
      <Select
        label={shell.theme}
        value={theme.value}
        options={(["system", "light", "dark"] as const).map((name) => [name, shell.themes[name]])}
        onInput={(value) => {
          theme.value = value;
        }}
      />
      <Select
        label={shell.language}
        value={chosenLanguage.value as string}
        options={[["system", shell.themes.system], ...languages]}
        onInput={(value) => {
          chosenLanguage.value = value as typeof chosenLanguage.value;
        }}
      />
    </>
  );
}
