import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { permission } from "../../../gen/signet/v1/options_pb.js";

/** Whether a method is read-only, so that it can be repeated at any time. */
export function isReading(method: DescMethod): boolean {
  return getOption(method, permission).endsWith(".read");
}
