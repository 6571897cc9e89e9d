import { TextQueryMethod } from "../../../gen/signet/v1/list_pb.js";
import type { TextMatch } from "../../database/text-match.ts";

/** Converts a method. Unknown methods, which the schema rejects, mean equality here. */
export function toTextMatch(method: TextQueryMethod): TextMatch {
  return MATCHES[method] ?? MATCHES[TextQueryMethod.EQUALS];
}

const MATCHES: Readonly<Record<TextQueryMethod, TextMatch>> = {
  [TextQueryMethod.EQUALS]: { part: "whole", ignoresCase: false },
  [TextQueryMethod.EQUALS_IGNORE_CASE]: { part: "whole", ignoresCase: true },
  [TextQueryMethod.STARTS_WITH]: { part: "start", ignoresCase: false },
  [TextQueryMethod.STARTS_WITH_IGNORE_CASE]: { part: "start", ignoresCase: true },
  [TextQueryMethod.CONTAINS]: { part: "any", ignoresCase: false },
  [TextQueryMethod.CONTAINS_IGNORE_CASE]: { part: "any", ignoresCase: true },
  [TextQueryMethod.ENDS_WITH]: { part: "end", ignoresCase: false },
  [TextQueryMethod.ENDS_WITH_IGNORE_CASE]: { part: "end", ignoresCase: true },
};
