import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type ListDetails as ListDetailsMessage, ListDetailsSchema } from "../../../gen/signet/v1/list_pb.js";
import { type ObjectDetails as ObjectDetailsMessage, ObjectDetailsSchema } from "../../../gen/signet/v1/object_pb.js";
import { type ObjectDetails, type ObjectRow, toObjectDetails } from "../../events/object-details.ts";
import type { ListDetails } from "../../fields/list-query.ts";

/** The `details` of a response about one object. */
export function toObjectMessage({ creationDate, changeDate, ...details }: ObjectDetails): ObjectDetailsMessage {
  const times = { creationDate: timestampFromDate(creationDate), changeDate: timestampFromDate(changeDate) };
  return create(ObjectDetailsSchema, { ...details, ...times });
}

/** The `details` of an object in a list. */
export function toDetails(row: ObjectRow, resourceOwner: string): ObjectDetailsMessage {
  return toObjectMessage(toObjectDetails(row, resourceOwner));
}

/** The `details` of a list. */
export function toListMessage({ viewTimestamp, ...details }: ListDetails): ListDetailsMessage {
  return create(ListDetailsSchema, { ...details, viewTimestamp: timestampFromDate(viewTimestamp) });
}
