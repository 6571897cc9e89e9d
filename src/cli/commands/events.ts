import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { callsApi, integerFrom } from "./options.ts";

export function defineEventsCommands(program: Command, configuration: () => Config): void {
  const tail = program
    .command("events")
    .description("show what has changed")
    .command("tail")
    .description("print the latest events, oldest first")
    .option("--org <org>", "id or name of the organization; by default, the events of all and of the instance")
    .option("--type <type...>", "only events of these types")
    .option("--object <id>", "only events of the object with this id")
    .option("--after <position>", "print the events after this position instead", integerFrom(0, 2 ** 53 - 1))
    .option("--limit <number>", "maximum number of events", integerFrom(1, 10_000), 10)
    .option("--follow", "continue with new events until you press Ctrl-C", false);
  callsApi(tail, configuration, async () => (await import("../events.ts")).tailEventsCommand);
}
