import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event, EventAggregate } from "../../../gen/signet/v1/event_pb.js";
import { eventWords, objectWords } from "../../parts/event-words.ts";
import { TableArea } from "../../parts/table-area.tsx";
import { Time } from "../../parts/time.tsx";
import { texts } from "../../state/language.ts";
import { setSearch } from "../../state/location.ts";
import { toPath } from "../../state/routes.ts";
import { EventDetails } from "./event-details.tsx";
import { filteredBy, shorten } from "./filtered-by.ts";

interface EventTableProps {
  readonly events: readonly Event[];
  readonly isCurrent: boolean;
  /** The position of the event whose content is shown. */
  readonly open: string | undefined;
}

/** Each event in words; its content as JSON on demand. */
export function EventTable({ events, isCurrent, open }: EventTableProps) {
  const { audit } = texts.value;
  return (
    <TableArea label={audit.title} isCurrent={isCurrent}>
      <table class="events">
        <thead>
          <tr>
            <th scope="col">{audit.time}</th>
            <th scope="col">{audit.what}</th>
            <th scope="col">{audit.object}</th>
            <th scope="col">{audit.actor}</th>
            <th scope="col">
              <span class="spoken">{audit.content}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <EventRow key={String(event.sequence)} event={event} isOpen={String(event.sequence) === open} />
          ))}
        </tbody>
      </table>
    </TableArea>
  );
}

function EventRow({ event, isOpen }: { event: Event; isOpen: boolean }) {
  const { user } = texts.value;
  const { type, aggregate, editor, creationDate } = event;
  const sequence = String(event.sequence);
  const words = eventWords(type?.type ?? "", type?.localized?.localizedMessage);
  const exact = creationDate ? timestampDate(creationDate).toISOString() : "";
  return (
    <>
      <tr class={isOpen ? "picked" : undefined}>
        <td>
          <Time at={creationDate} />
        </td>
        <th scope="row">
          {words}
          <br />
          <code class="quiet">{type?.type}</code>
        </th>
        <td>
          <ObjectLink aggregate={aggregate} />
        </td>
        <td>
          {editor === undefined ? (
            <span class="quiet">{user.history.operator}</span>
          ) : (
            <a href={filteredBy("actor", editor.userId)}>{editor.displayName || shorten(editor.userId)}</a>
          )}
        </td>
        <td>
          <button
            type="button"
            class="link"
            aria-expanded={isOpen}
            aria-label={`JSON: ${words}, ${exact}`}
            onClick={() => setSearch({ open: isOpen ? undefined : sequence }, { replace: true })}
          >
            JSON
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5}>
            <EventDetails event={event} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Leads to the page of the object, if it has one, and otherwise to its events. */
function ObjectLink({ aggregate }: { aggregate: EventAggregate | undefined }) {
  if (aggregate === undefined) return null;
  const { id, type, resourceOwner } = aggregate;
  const name = `${objectWords(type?.type ?? "", type?.localized?.localizedMessage)} ${shorten(id)}`;
  const page =
    type?.type === "user"
      ? toPath({ page: "user", orgId: resourceOwner, userId: id })
      : type?.type === "org"
        ? toPath({ page: "org", orgId: id })
        : filteredBy("object", id);
  return (
    <a href={page} title={id}>
      {name}
    </a>
  );
}
