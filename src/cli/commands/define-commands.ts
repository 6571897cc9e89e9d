import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { defineAdminCommands } from "./admin.ts";
import { defineApiCommands } from "./api.ts";
import { defineAppCommands } from "./app.ts";
import { defineBrandingCommands } from "./branding.ts";
import { defineConsoleCommands } from "./console.ts";
import { defineDatabaseCommands } from "./database.ts";
import { defineEventsCommands } from "./events.ts";
import { defineIdpCommands } from "./idp.ts";
import { defineKeysCommands } from "./keys.ts";
import { defineMemberCommands } from "./member.ts";
import { defineMessagesCommands } from "./messages.ts";
import { defineOrgCommands } from "./org.ts";
import { definePasswordHookCommands } from "./password-hook.ts";
import { defineScimCommands } from "./scim.ts";
import { defineTokenCommands } from "./token.ts";
import { defineUserCommands } from "./user.ts";
import { defineUsersCommands } from "./users.ts";
import { defineWebhooksCommands } from "./webhooks.ts";

/** Defines all commands but `serve` and `migrate`. `docs/reference/commands.md` is made from them. */
export function defineCommands(program: Command, configuration: () => Config): void {
  defineDatabaseCommands(program, configuration);
  defineOrgCommands(program, configuration);
  defineTokenCommands(program, configuration);
  defineMemberCommands(program, configuration);
  defineAdminCommands(program, configuration);
  defineAppCommands(program, configuration);
  defineApiCommands(program, configuration);
  defineConsoleCommands(program, configuration);
  defineIdpCommands(program, configuration);
  defineUserCommands(program, configuration);
  defineUsersCommands(program, configuration);
  defineBrandingCommands(program, configuration);
  defineMessagesCommands(program, configuration);
  defineEventsCommands(program, configuration);
  defineWebhooksCommands(program, configuration);
  defineScimCommands(program, configuration);
  definePasswordHookCommands(program, configuration);
  defineKeysCommands(program, configuration);
}
