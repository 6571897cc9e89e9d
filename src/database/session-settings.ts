/** A setting of PostgreSQL that Signet sets for each session, whatever the server, the database or the role sets. */
interface SessionSetting {
  readonly name: string;
  readonly value: string;
  /** Whether the value that a session already has will do, as `current_setting` returns it. */
  readonly accepts: (value: string) => boolean;
}

const isSet = (value: string) => value !== "0";

const TIME_LIMITS: readonly SessionSetting[] = [
  { name: "statement_timeout", value: "10s", accepts: isSet },
  { name: "idle_in_transaction_session_timeout", value: "10s", accepts: isSet },
];

/**
 * - `jit`: compiling a statement takes 138 ms, each time it runs. PostgreSQL decides by its estimates, which are too
 *   high for lists of commands: imports with a message, a phone or a link were 15 times slower.
 * - `plan_cache_mode`: hot statements would be planned for each call.
 * - `lock_timeout`: a call that waits for another one would fail. The statement's time limit bounds the wait.
 */
const OTHERS: readonly SessionSetting[] = [
  exactly("jit", "off"),
  exactly("plan_cache_mode", "auto"),
  exactly("lock_timeout", "0"),
  exactly("default_transaction_isolation", "read committed"),
  exactly("standard_conforming_strings", "on"),
  { name: "DateStyle", value: "ISO", accepts: (value) => value.startsWith("ISO") },
];

/** The settings of a session of calls. Those of a pooler's sessions must be set for the role. */
export const SESSION_SETTINGS: readonly SessionSetting[] = [...TIME_LIMITS, ...OTHERS];

function exactly(name: string, value: string): SessionSetting {
  return { name, value, accepts: (found) => found === value };
}

/**
 * Returns statements that set up a session.
 *
 * @param timeLimits False to lift the time limits.
 */
export function setSession(timeLimits: boolean): string {
  const limits = TIME_LIMITS.map((limit) => (timeLimits ? limit : { ...limit, value: "0" }));
  return [...limits, ...OTHERS].map(toSet).join("; ");
}

/** Returns the part of a statement that sets a value, such as `set jit = 'off'`. */
export function toSet({ name, value }: Pick<SessionSetting, "name" | "value">): string {
  return `set ${name} = '${value}'`;
}
