import { useRef, useState } from "preact/hooks";
import { TextQueryMethod } from "../../gen/signet/v1/list_pb.js";
import { OrgFieldName } from "../../gen/signet/v1/org_pb.js";
import { inOrg } from "../api/api.ts";
import { useSession } from "../state/context.ts";
import { texts } from "../state/language.ts";
import { route } from "../state/location.ts";
import { inOtherOrg, toPath } from "../state/routes.ts";
import { orgChanges } from "../state/session.ts";
import { useLoad } from "../state/use-load.ts";

/** The most organizations that the menu shows; others are found by their name. */
const SHOWN = 20;

interface ListedOrg {
  readonly id: string;
  readonly name: string;
}

/** Shows the name of the organization, and leads to the same page of another one. */
export function OrgSwitcher({ orgId }: { orgId: string }) {
  const session = useSession();
  const { shell } = texts.value;
  const [query, setQuery] = useState("");
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const current = useLoad(`org ${orgId} ${orgChanges.value}`, async (signal) => {
    const { org } = await session.api.management.getMyOrg({}, inOrg(orgId, signal));
    return org?.name ?? "";
  });
  const found = useLoad<readonly ListedOrg[]>(isOpen ? `orgs ${query}` : undefined, async (signal) => {
    if (!session.seesAllOrgs) return session.orgs.filter(({ name }) => contains(name, query));
    const { result } = await session.api.admin.listOrgs(
      {
        query: { asc: true, limit: SHOWN },
        sortingColumn: OrgFieldName.NAME,
        queries: query ? [{ query: { case: "nameQuery", value: { name: query, method: CONTAINS } } }] : [],
      },
      { signal },
    );
    return result;
  });
  const name = current.isCurrent ? (current.value ?? shell.unknownOrg) : "…";
  return (
    <>
      <button type="button" class="org secondary" popovertarget="org-menu" aria-label={shell.orgIs(name)}>
        <span>{name}</span>
      </button>
      <div
        id="org-menu"
        class="menu"
        popover="auto"
        ref={menu}
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        <label>
          {shell.findOrg}
          <input
            type="search"
            value={query}
            autocomplete="off"
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
        <ul class="links">
          {(found.value ?? []).slice(0, SHOWN).map((org) => (
            <li key={org.id}>
              <a
                onClick={() => menu.current?.hidePopover()}
                href={toPath(inOtherOrg(route.value, org.id))}
                aria-current={org.id === orgId ? "true" : undefined}
              >
                {org.name}
              </a>
            </li>
          ))}
        </ul>
        {found.isCurrent && found.value?.length === 0 && <p class="quiet">{shell.noOrgs}</p>}
      </div>
    </>
  );
}

const CONTAINS = TextQueryMethod.CONTAINS_IGNORE_CASE;

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
