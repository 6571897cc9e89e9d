import type { Event } from "../../../gen/signet/v1/event_pb.js";
import { type Api, byName } from "../../api/api.ts";
import { Button } from "../../parts/button.tsx";
import { listEventTypes } from "../../parts/event-types.ts";
import { Field } from "../../parts/field.tsx";
import { contains } from "../../parts/finder.tsx";
import { toLocalTime } from "../../parts/local-time.ts";
import { type Choice, PickField } from "../../parts/pick-field.tsx";
import { texts } from "../../state/language.ts";
import { setSearch } from "../../state/location.ts";
import { usePermissions } from "../../state/permissions.ts";
import { useApi, useSession } from "../../state/session.ts";
import { addressOf, nameOf } from "../users/describe-user.ts";
import { findUsers } from "../users/find-users.ts";
import { isId, readSearch } from "../users/user-search.ts";
import { shortenId } from "./event-links.ts";
import { type EventSearch, toTimeParameter } from "./event-search.ts";

/** Of each kind. More are found by a longer text. */
const SHOWN = 6;

/** Other filters begin with their latest events. */
export const FIRST_PAGE = { before: undefined, open: undefined };

interface EventFiltersProps {
  readonly orgId: string | undefined;
  readonly search: EventSearch;
  /** The events of the page, which have the names of what is chosen. */
  readonly events: readonly Event[];
}

/** The filters besides the kinds: type, object, user and time. Each takes effect at once. */
export function EventFilters({ orgId, search, events }: EventFiltersProps) {
  const { audit } = texts.value;
  const { type, object, actor, since, until } = search;
  const used = { type, object, actor, since: toLocalTime(since), until: toLocalTime(until) };
  const isUsed = Object.values(used).some((value) => value !== "");
  const none = { type: undefined, object: undefined, actor: undefined, since: undefined, until: undefined };
  const set = (changes: Readonly<Record<string, string | undefined>>) => setSearch({ ...FIRST_PAGE, ...changes });
  const find = useChoices(orgId);
  const named = (id: string, names: (event: Event) => string | undefined): Choice | undefined =>
    id === "" ? undefined : { value: id, title: events.map(names).find(Boolean) ?? shortenId(id) };
  return (
    <details class="more" open={isUsed}>
      <summary>{audit.more}</summary>
      <div class="fields">
        <PickField
          label={audit.type}
          chosen={type === "" ? undefined : { value: type, title: wordsOf(type) }}
          id="types"
          find={async (text) => findTypes(text)}
          onPick={(value) => set({ type: value, ...(value && { kind: undefined }) })}
        />
        <PickField
          label={audit.object}
          hint={audit.nameOrId}
          chosen={named(object, ({ names }) => names[object])}
          id={`objects ${orgId}`}
          find={find.objects}
          onPick={(value) => set({ object: value })}
        />
        <PickField
          label={audit.actor}
          hint={audit.nameOrId}
          chosen={named(actor, ({ editor }) => (editor?.userId === actor ? editor.displayName : undefined))}
          id={`actors ${orgId}`}
          find={find.actors}
          onPick={(value) => set({ actor: value })}
        />
        <TimeField label={audit.since} name="since" time={since} />
        <TimeField label={audit.until} name="until" time={until} />
      </div>
      {isUsed && <Button label={audit.clear} onClick={() => set(none)} />}
    </details>
  );
}

function TimeField({ label, name, time }: { label: string; name: "since" | "until"; time: Date | undefined }) {
  return (
    <Field
      label={label}
      type="datetime-local"
      value={toLocalTime(time)}
      onInput={(local) => setSearch({ ...FIRST_PAGE, [name]: toTimeParameter(local) }, { replace: true })}
    />
  );
}

function wordsOf(type: string): string {
  return listEventTypes().find((each) => each.type === type)?.words ?? type;
}

function findTypes(text: string): Choice[] {
  return listEventTypes()
    .filter(({ type, words }) => contains(words, text) || contains(type, text))
    .slice(0, 2 * SHOWN)
    .map(({ type, words }) => ({ value: type, title: words, note: type }));
}

type Find = (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;

/** What can be chosen by a part of its name: in an organization, or in the instance. An id can always be chosen. */
function useChoices(orgId: string | undefined): { readonly objects: Find; readonly actors: Find } {
  const { me } = useSession();
  const api = useApi(orgId);
  const { audit } = texts.value;
  const permissions = usePermissions(orgId ?? me.orgId).value;
  const orById =
    (find: Find): Find =>
    async (text, signal) => {
      const choices = await find(text, signal);
      if (!isId(text) || choices.some(({ value }) => value === text)) return choices;
      return [...choices, { value: text.toLowerCase(), title: shortenId(text), note: audit.byId }];
    };
  const isOffered = (permission: string) => permissions?.can(permission) ?? false;
  const users: Find = async (text, signal) =>
    orgId !== undefined && isOffered("user.read") ? await findPeople(api, text, signal) : [];
  const actors = orgId === undefined ? orById((text, signal) => findMembers(api, text, signal)) : orById(users);
  const objects: Find = async (text, signal) => {
    if (orgId === undefined) return await findOrgs(api, text, signal);
    const [people, things] = await Promise.all([
      users(text, signal),
      isOffered("org.app.read") ? findApps(api, text, signal) : [],
    ]);
    return [...people, ...things];
  };
  return { actors, objects: orById(objects) };
}

async function findPeople(api: Api, text: string, signal: AbortSignal): Promise<Choice[]> {
  const search = { ...readSearch(new URLSearchParams({ q: text, sort: "name", dir: "asc" })), size: SHOWN };
  const { users } = await findUsers(api, search, signal);
  return users
    .slice(0, SHOWN)
    .map((user) => ({ value: user.id, title: nameOf(user), note: addressOf(user) || user.userName }));
}

async function findApps({ management }: Api, text: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { asc: true, limit: SHOWN };
  const { result } = await management.listApps({ query, queries: byName(text) }, { signal });
  return result.map(({ id, name }) => ({ value: id, title: name, note: texts.value.shell.pages.apps }));
}

async function findOrgs(api: Api, text: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { asc: true, limit: SHOWN };
  const { result } = await api.admin.listOrgs({ query, queries: byName(text) }, { signal });
  return result.map(({ id, name }) => ({ value: id, title: name, note: texts.value.shell.pages.orgs }));
}

/** Those who have a role in the instance. */
async function findMembers(api: Api, text: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { asc: true, limit: 1_000 };
  const { result } = await api.admin.listIAMMembers({ query }, { signal });
  return result
    .filter(({ displayName, preferredLoginName }) => contains(`${displayName} ${preferredLoginName}`, text))
    .slice(0, SHOWN)
    .map(({ userId, displayName, preferredLoginName }) => ({
      ...{ value: userId, title: displayName || preferredLoginName, note: preferredLoginName },
    }));
}
