import { columnsOf, type RowOf, VERSION } from "../database/columns-of.ts";
import { ownedList } from "../fields/owned-objects.ts";

const COLUMNS = columnsOf("webhooks", {
  ownerId: "owner_id",
  id: "id",
  name: "name",
  url: "url",
  eventTypes: "event_types",
  includesPayload: "includes_payload",
  state: "state",
  ...VERSION,
});

/** A webhook in responses. */
export type WebhookRow = RowOf<typeof COLUMNS>;

/** Lists the webhooks of an organization (docs/reference/webhooks.md). */
export const WEBHOOKS = ownedList("webhooks", COLUMNS);
