import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event } from "../../../gen/signet/v1/event_pb.js";
import { ProblemNote } from "../../parts/screen.tsx";
import { Copyable } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { changesOf, earlierTypesOf } from "./event-changes.ts";
import { filteredBy } from "./event-links.ts";

/** Finds events of the object before this one, the latest first. */
export type FindEarlier = (event: Event, eventTypes: string[], signal: AbortSignal) => Promise<readonly Event[]>;

/** What an event has changed, its content as JSON, and the ways to events like it. */
export function EventDetails({ event, findEarlier }: { event: Event; findEarlier: FindEarlier }) {
  const { audit } = texts.value;
  const { aggregate, editor } = event;
  return (
    <div class="event">
      <EventChanges event={event} findEarlier={findEarlier} />
      <p class="links-row">
        {aggregate && <a href={filteredBy("object", aggregate.id)}>{audit.ofObject}</a>}
        {editor && <a href={filteredBy("actor", editor.userId)}>{audit.ofActor}</a>}
        <a href={`?before=${event.sequence + 1n}&open=${event.sequence}`}>{audit.link}</a>
      </p>
      {aggregate && (
        <p>
          {audit.object} <Copyable text={aggregate.id} />
        </p>
      )}
      <details>
        <summary>JSON</summary>
        <pre>{JSON.stringify(toJson(event), undefined, 2)}</pre>
      </details>
    </div>
  );
}

/** Enough to find the last value of each setting. */
function EventChanges({ event, findEarlier }: { event: Event; findEarlier: FindEarlier }) {
  const { audit } = texts.value;
  const types = earlierTypesOf(event.type?.type ?? "");
  const found = useLoad(types.length > 0 ? `earlier ${event.sequence}` : undefined, (signal) =>
    findEarlier(event, types, signal),
  );
  if (found.problem !== undefined) return <ProblemNote problem={found.problem} onRetry={found.reload} />;
  if (types.length > 0 && found.value === undefined) return null;
  const earlier = found.value ?? [];
  const changes = changesOf(event, earlier);
  const isCompared = types.length > 0 && (earlier.length > 0 || changes.some(({ before }) => before !== undefined));
  if (changes.length === 0) return isCompared ? <p class="quiet">{audit.unchanged}</p> : null;
  const show = (value: unknown) => <Value value={value} names={event.names} />;
  return (
    <table class="changes">
      <thead>
        <tr>
          <th scope="col">{audit.field}</th>
          {isCompared && <th scope="col">{audit.before}</th>}
          <th scope="col">{isCompared ? audit.after : audit.value}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            {isCompared && <td data-label={audit.before}>{show(before)}</td>}
            <td data-label={isCompared ? audit.after : audit.value}>{show(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ value, names }: { value: unknown; names: Event["names"] }) {
  const { audit } = texts.value;
  if (typeof value === "boolean") return value ? audit.yes : audit.no;
  if (value === undefined || value === null || value === "") return <span class="quiet">–</span>;
  if (Array.isArray(value)) return value.length === 0 ? <span class="quiet">–</span> : value.map(toText).join(", ");
  const text = toText(value);
  return names[text] === undefined ? text : <span title={text}>{names[text]}</span>;
}

function toText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** As the API returns it, without the texts for people. */
function toJson({ sequence, creationDate, type, aggregate, editor, payload }: Event) {
  return {
    sequence: String(sequence),
    creationDate: creationDate && timestampDate(creationDate).toISOString(),
    type: type?.type,
    aggregate: aggregate && { id: aggregate.id, type: aggregate.type?.type, resourceOwner: aggregate.resourceOwner },
    editor: editor && { userId: editor.userId, displayName: editor.displayName },
    payload,
  };
}
