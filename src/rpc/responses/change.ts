import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ChangeSchema } from "../../../gen/signet/v1/change_pb.js";
import type { Call } from "../../call.ts";
import { toEventText } from "../../events/catalogue.ts";
import type { ChangeRow } from "../../events/list-changes.ts";

/** Converts an event of a user or an organization. */
export function toChange(row: ChangeRow, { orgId }: Call): MessageInitShape<typeof ChangeSchema> {
  return {
    changeDate: timestampFromDate(row.created_at),
    eventType: { key: row.type, localizedMessage: toEventText(row.type) },
    sequence: row.sequence,
    editorId: row.editor_id ?? "",
    editorDisplayName: row.editor_name ?? "",
    resourceOwnerId: orgId,
  };
}
