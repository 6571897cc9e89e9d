import { type Command, Option } from "commander";
import type { Config } from "../../config.ts";
import { integerFrom, isOnServer, serverOrg, withServer } from "./options.ts";

/** The same as in `webhooks/list-deliveries.ts`, which is not imported because it loads the database code. */
const DELIVERY_STATES = ["waiting", "sending", "sent", "failed"];

/** Defines `signet webhooks …`. */
export function defineWebhooksCommands(program: Command, configuration: () => Config): void {
  const webhooks = program.command("webhooks").description("show webhooks and what is sent to them");
  const list = webhooks
    .command("list")
    .description("list webhooks")
    .option(
      "--org <org>",
      "id or name of the organization (default: on a server, that of the token; otherwise, all organizations)",
    );
  withServer(list).action(async (options) =>
    isOnServer(options)
      ? (await import("../server-webhooks.ts")).listWebhooksOnServer(configuration, options)
      : (await import("../webhooks.ts")).listWebhooksCommand(configuration(), options),
  );
  const deliveries = webhooks
    .command("deliveries")
    .description("list the latest deliveries of a webhook, in the order of the events")
    .argument("<webhook>", "id of the webhook, as shown by `webhooks list`")
    .addOption(new Option("--state <state>", "list only deliveries in this state").choices(DELIVERY_STATES))
    .option("--limit <number>", "maximum number of deliveries", integerFrom(1, 1_000_000), 1_000)
    .addOption(serverOrg());
  withServer(deliveries).action(async (id, options) =>
    isOnServer(options)
      ? (await import("../server-webhooks.ts")).listDeliveriesOnServer(configuration, { id, ...options })
      : (await import("../webhooks.ts")).listDeliveriesCommand(configuration(), { id, ...options }),
  );
  const retry = webhooks
    .command("retry")
    .description("send a delivery now, also one that was sent or has failed")
    .argument("<webhook>", "id of the webhook, as shown by `webhooks list`")
    .argument("<delivery>", "id of the delivery, as shown by `webhooks deliveries`")
    .addOption(serverOrg());
  withServer(retry).action(async (id, deliveryId, options) =>
    isOnServer(options)
      ? (await import("../server-webhooks.ts")).retryDeliveryOnServer(configuration, { id, deliveryId, ...options })
      : (await import("../webhooks.ts")).retryDeliveryCommand(configuration(), { id, deliveryId, ...options }),
  );
}
