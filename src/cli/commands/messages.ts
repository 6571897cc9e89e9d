import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { dateTime, integerFrom, isOnServer, oneOf, serverOrg, withServer } from "./options.ts";

/** The same as in `messages/find-messages.ts`, which is not imported because it loads the database code. */
const MESSAGE_STATES = ["waiting", "sending", "failed", "expired", "sent"];

const ID = "id of the message, as shown by `messages list`";

export function defineMessagesCommands(program: Command, configuration: () => Config): void {
  const messages = program
    .command("messages")
    .description("manage queued emails and SMS messages; their contents are not shown");
  const list = messages
    .command("list")
    .description("list messages; without --state, --to and --since, those that have not been sent")
    .addOption(oneOf("--state <state>", "list only messages in this state", MESSAGE_STATES))
    .option("--to <recipient>", "list only messages to this email address or phone number")
    .option("--since <date>", "list only messages queued since then, such as 2026-11-24 or 2026-11-24T18:00Z", dateTime)
    .option(
      "--limit <number>",
      "maximum number of messages; the most recent ones are listed",
      integerFrom(1, 1_000_000),
      1_000,
    )
    .addOption(serverOrg());
  withServer(list).action(async (options) =>
    isOnServer(options)
      ? (await import("../server-messages.ts")).listMessagesOnServer(configuration, options)
      : (await import("../messages.ts")).listMessagesCommand(configuration(), options),
  );
  const show = messages.command("show").description("show one message").argument("<id>", ID).addOption(serverOrg());
  withServer(show).action(async (id, options) =>
    isOnServer(options)
      ? (await import("../server-messages.ts")).showMessageOnServer(configuration, { id, ...options })
      : (await import("../messages.ts")).showMessageCommand(configuration(), { id, ...options }),
  );
  const retry = messages
    .command("retry")
    .description("send a failed or waiting message now")
    .argument("<id>", ID)
    .addOption(serverOrg());
  withServer(retry).action(async (id, options) =>
    isOnServer(options)
      ? (await import("../server-messages.ts")).retryMessageOnServer(configuration, { id, ...options })
      : (await import("../messages.ts")).retryMessageCommand(configuration(), { id, ...options }),
  );
}
