import { MESSAGES_VARIABLES, type MessagesConfig, readMessages } from "./config/messages.ts";
import { METRICS_VARIABLES, type MetricsConfig, readMetrics } from "./config/metrics.ts";
import { OPERATION_VARIABLES, type OperationConfig, readOperation } from "./config/operation.ts";
import { readServer, SERVER_VARIABLES, type ServerConfig } from "./config/server.ts";
import { readSignIn, SIGN_IN_VARIABLES, type SignInConfig } from "./config/sign-in.ts";
import { readStorage, STORAGE_VARIABLES, type StorageConfig } from "./config/storage.ts";
import { readTraces, TRACES_VARIABLES, type TracesConfig } from "./config/traces.ts";
import { type Environment, readValues, requireValue } from "./config/variables.ts";

export { ConfigError } from "./config/config-error.ts";
export type { SmsProvider } from "./config/messages.ts";

/** The validated configuration, frozen. Each subject has a file in `config/`. */
export interface Config
  extends ServerConfig,
    StorageConfig,
    SignInConfig,
    MessagesConfig,
    MetricsConfig,
    OperationConfig,
    TracesConfig {}

const VARIABLES = {
  ...SERVER_VARIABLES,
  ...STORAGE_VARIABLES,
  ...SIGN_IN_VARIABLES,
  ...MESSAGES_VARIABLES,
  ...METRICS_VARIABLES,
  ...OPERATION_VARIABLES,
  ...TRACES_VARIABLES,
};

/**
 * Reads the configuration from environment variables.
 *
 * @throws ConfigError for the first invalid, missing or conflicting value.
 */
export function readConfig(environment: Environment): Config {
  const values = readValues(VARIABLES, environment);
  if (values.DATABASE_URL !== undefined) {
    requireValue(VARIABLES, values, "PUBLIC_URL", "DATABASE_URL");
    requireValue(VARIABLES, values, "MASTER_KEY", "DATABASE_URL");
  }
  const server = readServer(values);
  return Object.freeze({
    ...server,
    ...readStorage(values),
    ...readSignIn(values, server.publicUrl),
    ...readMessages(values),
    ...readMetrics(values, server),
    ...readOperation(values),
    ...readTraces(values),
  });
}
