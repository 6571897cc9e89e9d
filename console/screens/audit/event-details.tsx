import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event } from "../../../gen/signet/v1/event_pb.js";
import { Copyable } from "../../parts/copyable.tsx";
import { texts } from "../../state/language.ts";
import { filteredBy } from "./filtered-by.ts";

/** The content of an event, and the ways to events like it. */
export function EventDetails({ event }: { event: Event }) {
  const { audit } = texts.value;
  const { aggregate, editor } = event;
  return (
    <div class="event">
      <pre>{JSON.stringify(toJson(event), undefined, 2)}</pre>
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
    </div>
  );
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
