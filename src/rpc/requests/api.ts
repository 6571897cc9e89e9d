import type { DescMessage } from "@bufbuild/protobuf";
import type { ListAPIsRequest } from "../../../gen/signet/v1/api_pb.js";
import { API_ORDER } from "../../apis/list-apis.ts";
import type { Problems } from "../../errors.ts";
import { toListQuery } from "./list-query.ts";

/** The fields for `listApis`. */
export function toApiSearch(request: ListAPIsRequest, problems: Problems, schema: DescMessage) {
  return { page: toListQuery(schema, request, API_ORDER, problems) };
}
