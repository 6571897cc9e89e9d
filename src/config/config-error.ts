/** An error that the operator can fix. The message is one line and contains no secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
