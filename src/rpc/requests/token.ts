import type { DescMessage } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  AddPersonalAccessTokenRequest,
  ListPersonalAccessTokensRequest,
} from "../../../gen/signet/v1/user_machine_pb.js";
import type { NewToken } from "../../access/add-personal-access-token.ts";
import { TOKEN_ORDER, type TokenSearch } from "../../access/list-personal-access-tokens.ts";
import type { Problems } from "../../errors.ts";
import { toListQuery } from "./list-query.ts";

/** The fields for `addPersonalAccessToken`. */
export function toNewToken({ userId, expirationDate }: AddPersonalAccessTokenRequest): NewToken {
  return { userId, expiresAt: expirationDate === undefined ? null : timestampDate(expirationDate) };
}

/** The fields for `listPersonalAccessTokens`. */
export function toTokenSearch(
  request: ListPersonalAccessTokensRequest,
  problems: Problems,
  schema: DescMessage,
): TokenSearch {
  return { userId: request.userId, page: toListQuery(schema, request, TOKEN_ORDER, problems) };
}
