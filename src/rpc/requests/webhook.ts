import type { DescMessage } from "@bufbuild/protobuf";
import {
  type ListWebhookDeliveriesRequest,
  type ListWebhooksRequest,
  WebhookDeliveryState,
} from "../../../gen/signet/v1/webhook_pb.js";
import type { Problems } from "../../errors.ts";
import { DELIVERY_ORDER, type DeliverySearch, type DeliveryState } from "../../webhooks/list-deliveries.ts";
import { WEBHOOK_ORDER } from "../../webhooks/list-webhooks.ts";
import { toListQuery } from "./list-query.ts";

/** The fields for `listWebhooks`. */
export function toWebhookSearch(request: ListWebhooksRequest, problems: Problems, schema: DescMessage) {
  return { page: toListQuery(schema, request, WEBHOOK_ORDER, problems) };
}

/** The fields for `listDeliveries`. */
export function toDeliverySearch(
  request: ListWebhookDeliveriesRequest,
  problems: Problems,
  schema: DescMessage,
): DeliverySearch {
  return {
    id: request.id,
    page: toListQuery(schema, request, DELIVERY_ORDER, problems),
    state: STATES[request.state],
  };
}

const STATES: Readonly<Record<WebhookDeliveryState, DeliveryState | undefined>> = {
  [WebhookDeliveryState.UNSPECIFIED]: undefined,
  [WebhookDeliveryState.WAITING]: "waiting",
  [WebhookDeliveryState.SENDING]: "sending",
  [WebhookDeliveryState.SENT]: "sent",
  [WebhookDeliveryState.FAILED]: "failed",
};
