import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { read_only } from "../../../gen/signet/v1/options_pb.js";

/** Whether a method is read-only, so that it can be repeated at any time. */
export function isReading(method: DescMethod): boolean {
  return getOption(method, read_only);
}
