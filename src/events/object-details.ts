import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type ObjectDetails, ObjectDetailsSchema } from "../../gen/signet/v1/object_pb.js";

/** The columns that a statement returns for the object that it wrote. */
export interface ObjectRow {
  sequence: bigint;
  created_at: Date;
  changed_at: Date;
}

/** Creates the `details` of a response (docs/api.md). */
export function toObjectDetails(row: ObjectRow, resourceOwner: string): ObjectDetails {
  return create(ObjectDetailsSchema, {
    sequence: row.sequence,
    creationDate: timestampFromDate(row.created_at),
    changeDate: timestampFromDate(row.changed_at),
    resourceOwner,
  });
}
