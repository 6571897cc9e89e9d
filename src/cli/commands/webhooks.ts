import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { callsApi, integerFrom, oneOf, serverOrg } from "./options.ts";

/** The same as in `webhooks/list-deliveries.ts`, which is not imported because it loads the database code. */
const DELIVERY_STATES = ["waiting", "sending", "sent", "failed"];

export function defineWebhooksCommands(program: Command, configuration: () => Config): void {
  const webhooks = program.command("webhooks").description("show webhooks and what is sent to them");
  const list = webhooks
    .command("list")
    .description("list webhooks")
    .option(
      "--org <org>",
      "id or name of the organization (default: on a server, that of the token; otherwise, all organizations)",
    );
  callsApi(list, configuration, async () => (await import("../webhooks.ts")).listWebhooksCommand);
  const deliveries = webhooks
    .command("deliveries")
    .description("list the latest deliveries of a webhook, in the order of the events")
    .argument("<webhook>", "id of the webhook, as shown by `webhooks list`")
    .addOption(oneOf("--state <state>", "list only deliveries in this state", DELIVERY_STATES))
    .option("--limit <number>", "maximum number of deliveries", integerFrom(1, 1_000_000), 1_000)
    .addOption(serverOrg());
  callsApi(deliveries, configuration, async () => (await import("../webhooks.ts")).listDeliveriesCommand, "id");
  const retry = webhooks
    .command("retry")
    .description("send a delivery now, also one that was sent or has failed")
    .argument("<webhook>", "id of the webhook, as shown by `webhooks list`")
    .argument("<delivery>", "id of the delivery, as shown by `webhooks deliveries`")
    .addOption(serverOrg());
  callsApi(retry, configuration, async () => (await import("../webhooks.ts")).retryDeliveryCommand, "id", "deliveryId");
}
