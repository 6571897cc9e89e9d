import type { Logger } from "pino";
import { type Config, ConfigError } from "../config.ts";
import { hasErrorCode } from "../files.ts";
import type { createPort } from "../http/port.ts";
import { emailRoute } from "../messages/senders/create-senders.ts";
import { describeStart } from "./describe-start.ts";

/** @throws ConfigError if HOST and PORT cannot be opened. */
export async function listen(
  port: ReturnType<typeof createPort>,
  { host, port: number }: Config,
): Promise<{ port: number }> {
  try {
    return await port.listen(number, host);
  } catch (error) {
    if (hasErrorCode(error, "EADDRINUSE"))
      throw new ConfigError(`PORT is invalid: port ${number} is already in use on ${host}`);
    if (hasErrorCode(error, "EACCES"))
      throw new ConfigError(`PORT is invalid: this user is not permitted to listen on port ${number}`);
    if (hasErrorCode(error, "EADDRNOTAVAIL") || hasErrorCode(error, "ENOTFOUND")) {
      throw new ConfigError(`HOST is invalid: expected an address of this machine, got "${host}"`);
    }
    throw error;
  }
}

/**
 * Announces that the service is ready. With workers, only the primary does this.
 *
 * @param administratorLink See `prepareDatabase`.
 */
export function announceStart(config: Config, log: Logger, administratorLink: string | undefined): void {
  console.log(describeStart(config, administratorLink));
  if (emailRoute(config) === "none") log.warn("SMTP_URL is not set: emails stay queued");
}
