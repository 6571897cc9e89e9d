import { APP_SETTING_ENTRIES, type AppConfig, type AppEventPayload } from "../database/app-config.ts";
import { hostOf } from "./host-of.ts";

/** The payload of an event about a configuration. */
export function toAppEventPayload(config: AppConfig): AppEventPayload {
  const entries = APP_SETTING_ENTRIES.map(([name, { rule }]) => {
    const value = config[name];
    if (rule === "uri") return [toHostName(name), value && hostOf(value as string)];
    if (rule === "uris") return [toHostName(name), [...new Set((value as string[]).map(hostOf))]];
    return [name, value];
  });
  return Object.fromEntries(entries) as AppEventPayload;
}

/** As in `AppEventPayload`. */
function toHostName(name: string): string {
  return name.replace("Uri", "Host");
}
