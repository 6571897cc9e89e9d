import type { Event } from "../../../gen/signet/v1/event_pb.js";
import type { Api } from "../../api/api.ts";
import { Button } from "../../parts/button.tsx";
import { findTypes, listEventTypes, toChoice } from "../../parts/event-types.ts";
import { Field } from "../../parts/field.tsx";
import { contains } from "../../parts/finder.tsx";
import { toLocalTime } from "../../parts/local-time.ts";
import { type Choice, type Find, PickField } from "../../parts/pick-field.tsx";
import { texts } from "../../state/language.ts";
import { setSearch } from "../../state/location.ts";
import { usePermissions } from "../../state/permissions.ts";
import { NO_PERMISSIONS, useApi, useSession } from "../../state/session.ts";
import { findApps, findOrgs, findPeople, orById, SHOWN, shortenId } from "../users/choices.ts";
import { type EventSearch, toTimeParameter } from "./event-search.ts";

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
  const types = listEventTypes();
  const chosenType = types.find((each) => each.type === type) ?? { type, words: type };
  const byObject = (name: "object" | "actor", nameIn: (event: Event) => string | undefined) => {
    const id = search[name];
    return (
      <PickField
        label={audit[name]}
        placeholder={audit.nameOrId}
        chosen={id === "" ? [] : [{ value: id, title: events.map(nameIn).find(Boolean) ?? shortenId(id) }]}
        id={`${name} ${orgId}`}
        find={find[name]}
        onPick={({ value }) => set({ [name]: value })}
        onRemove={() => set({ [name]: undefined })}
      />
    );
  };
  return (
    <details class="more" open={isUsed}>
      <summary>{audit.more}</summary>
      <div class="fields">
        <PickField
          label={audit.type}
          chosen={type === "" ? [] : [toChoice(chosenType)]}
          id="types"
          find={async (text) => findTypes(types, text).map(toChoice)}
          onPick={({ value }) => set({ type: value, kind: undefined })}
          onRemove={() => set({ type: undefined })}
        />
        {byObject("object", ({ names }) => names[object])}
        {byObject("actor", ({ editor }) => (editor?.userId === actor ? editor.displayName : undefined))}
        {(["since", "until"] as const).map((name) => (
          <Field
            key={name}
            label={audit[name]}
            type="datetime-local"
            value={toLocalTime(search[name])}
            onInput={(local) => setSearch({ ...FIRST_PAGE, [name]: toTimeParameter(local) }, { replace: true })}
          />
        ))}
      </div>
      {isUsed && <Button label={audit.clear} onClick={() => set(none)} />}
    </details>
  );
}

/** What can be chosen by a part of its name: in an organization, or in the instance. An id can always be chosen. */
function useChoices(orgId: string | undefined): { readonly object: Find; readonly actor: Find } {
  const { me } = useSession();
  const api = useApi(orgId);
  const permissions = usePermissions(orgId ?? me.orgId).value ?? NO_PERMISSIONS;
  if (orgId === undefined) {
    return {
      actor: orById((text, signal) => findMembers(api, text, signal)),
      object: orById((text, signal) => findOrgs(api, text, signal)),
    };
  }
  const people: Find = async (text, signal) =>
    permissions.can("user.read") ? await findPeople(api, text, signal) : [];
  const apps: Find = async (text, signal) => (permissions.can("org.app.read") ? await findApps(api, text, signal) : []);
  const objects: Find = async (text, signal) => (await Promise.all([people(text, signal), apps(text, signal)])).flat();
  return { actor: orById(people), object: orById(objects) };
}

async function findMembers(api: Api, text: string, signal: AbortSignal): Promise<Choice[]> {
  const { result } = await api.admin.listIAMMembers({ query: { asc: true, limit: 1_000 } }, { signal });
  return result
    .filter(({ displayName, preferredLoginName }) => contains(`${displayName} ${preferredLoginName}`, text))
    .slice(0, SHOWN)
    .map(({ userId, displayName, preferredLoginName }) => ({
      ...{ value: userId, title: displayName || preferredLoginName, note: preferredLoginName },
    }));
}
