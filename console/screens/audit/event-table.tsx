import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event } from "../../../gen/signet/v1/event_pb.js";
import { SmallLine, Table } from "../../parts/table.tsx";
import { eventWords, objectWords, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { setSearch } from "../../state/location.ts";
import { toPath } from "../../state/paths.ts";
import { shortenId } from "../users/choices.ts";
import { EventDetails, type FindEarlier } from "./event-details.tsx";
import { filteredBy } from "./event-links.ts";

interface EventTableProps {
  readonly events: readonly Event[];
  readonly isCurrent: boolean;
  /** The position of the event whose details are shown. */
  readonly open: string | undefined;
  /** Whether the events are those of several organizations. */
  readonly isOfAll: boolean;
  readonly findEarlier: FindEarlier;
}

/** Each event in words; what it has changed on demand. */
export function EventTable({ events, isCurrent, open, isOfAll, findEarlier }: EventTableProps) {
  const { audit } = texts.value;
  const isOpen = ({ sequence }: Event) => String(sequence) === open;
  return (
    <Table
      label={audit.title}
      rows={events}
      keyOf={({ sequence }) => String(sequence)}
      nameAt={1}
      isCurrent={isCurrent}
      isPicked={isOpen}
      columns={[
        [audit.time, ({ creationDate }) => <Time at={creationDate} />],
        [audit.what, (event) => <What event={event} />],
        [audit.object, (event) => <ObjectLink event={event} isOfAll={isOfAll} />],
        [audit.actor, (event) => <Actor event={event} />],
        [audit.content, (event) => <DetailsButton event={event} isOpen={isOpen(event)} />, { isSpoken: true }],
      ]}
      detailsOf={(event) =>
        isOpen(event) && (
          <tr>
            <td colSpan={5}>
              <EventDetails event={event} findEarlier={findEarlier} />
            </td>
          </tr>
        )
      }
    />
  );
}

function wordsOf({ type }: Event): string {
  return eventWords(type?.type ?? "", type?.localized?.localizedMessage);
}

function What({ event }: { event: Event }) {
  const about = aboutOf(event);
  return (
    <>
      {wordsOf(event)}
      {about && <span class="about">{about}</span>}
      <br />
      <code class="quiet">{event.type?.type}</code>
    </>
  );
}

function DetailsButton({ event, isOpen }: { event: Event; isOpen: boolean }) {
  const { details } = texts.value.audit;
  const { sequence, creationDate } = event;
  const exact = creationDate ? timestampDate(creationDate).toISOString() : "";
  return (
    <button
      type="button"
      class="link"
      aria-expanded={isOpen}
      aria-label={`${details}: ${wordsOf(event)}, ${exact}`}
      onClick={() => setSearch({ open: isOpen ? undefined : String(sequence) }, { replace: true })}
    >
      {details}
    </button>
  );
}

/** The names of other objects that the event is about, such as the user who has got a role. */
function aboutOf({ aggregate, payload, names }: Event): string {
  const ids = Object.values(payload ?? {}).filter((value) => typeof value === "string");
  const others = ids.filter((id) => id !== aggregate?.id && id !== aggregate?.resourceOwner);
  return others.flatMap((id) => names[id] ?? []).join(", ");
}

/** Leads to the page of the object, if it has one, and otherwise to its events. */
function ObjectLink({ event: { aggregate, names }, isOfAll }: { event: Event; isOfAll: boolean }) {
  if (aggregate === undefined) return null;
  const { id, type, resourceOwner } = aggregate;
  const kind = objectWords(type?.type ?? "", type?.localized?.localizedMessage);
  const name = type?.type === "instance" ? kind : (names[id] ?? shortenId(id));
  const org = isOfAll && type?.type !== "org" ? names[resourceOwner] : undefined;
  const note = [name === kind ? undefined : kind, org].filter((part) => part !== undefined).join(" · ");
  return (
    <span>
      <a href={names[id] === undefined ? filteredBy("object", id) : pageOf(id, type?.type, resourceOwner)} title={id}>
        {name}
      </a>
      {note && <SmallLine>{note}</SmallLine>}
    </span>
  );
}

function pageOf(id: string, type: string | undefined, orgId: string): string {
  if (type === "org") return toPath({ page: "org", orgId: id });
  const page = (["user", "app", "api", "webhook"] as const).find((each) => each === type);
  return page === undefined ? filteredBy("object", id) : toPath({ page, orgId, id });
}

/** Who caused the event, and from where, if that is known. */
function Actor({ event: { editor, payload } }: { event: Event }) {
  const { audit, user } = texts.value;
  const { browser, system, network } = (payload ?? {}) as Readonly<Record<string, string | undefined>>;
  const from = [browser && system ? audit.browserOn(browser, system) : browser || system, network].filter(Boolean);
  return (
    <span>
      {editor === undefined ? (
        <span class="quiet">{user.history.operator}</span>
      ) : (
        <a href={filteredBy("actor", editor.userId)} title={editor.userId}>
          {editor.displayName || shortenId(editor.userId)}
        </a>
      )}
      {from.length > 0 && <SmallLine>{from.join(" · ")}</SmallLine>}
    </span>
  );
}
