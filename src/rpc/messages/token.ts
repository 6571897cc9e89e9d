import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  AddPersonalAccessTokenRequest,
  ListPersonalAccessTokensRequest,
} from "../../../gen/signet/v1/user_machine_pb.js";
import type { NewToken } from "../../access/add-personal-access-token.ts";
import { TOKEN_ORDER, type TokenRow } from "../../access/list-personal-access-tokens.ts";
import type { Call } from "../../call.ts";
import { toDetails } from "./details.ts";
import { searchOf } from "./list.ts";

/** The fields for `addPersonalAccessToken`. */
export function toNewToken({ userId, expirationDate }: AddPersonalAccessTokenRequest): NewToken {
  return { userId, expiresAt: expirationDate === undefined ? null : timestampDate(expirationDate) };
}

/** The fields for `listPersonalAccessTokens`. */
export const toTokenSearch = searchOf(TOKEN_ORDER, ({ userId }: ListPersonalAccessTokensRequest) => ({ userId }));

/** Converts a row to a personal access token in a response. No event belongs to it alone, so it has no sequence. */
export function toToken(row: TokenRow, { orgId }: Call) {
  return {
    id: row.id,
    details: toDetails({ sequence: 0n, created_at: row.created_at, changed_at: row.created_at }, orgId),
    ...(row.expires_at !== null && { expirationDate: timestampFromDate(row.expires_at) }),
    lastFour: row.last_four,
    ...(row.last_used_at !== null && { lastUsed: timestampFromDate(row.last_used_at) }),
  };
}
