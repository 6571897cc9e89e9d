/** Loaded with `--import`: the clock of the process is ahead by CLOCK_AHEAD_MS, or behind if that is negative. */
const AHEAD_MS = Number(process.env.CLOCK_AHEAD_MS);
const System = Date;

globalThis.Date = class extends System {
  constructor(...values: readonly unknown[]) {
    super(...((values.length === 0 ? [System.now() + AHEAD_MS] : values) as [number]));
  }
  static override now(): number {
    return System.now() + AHEAD_MS;
  }
} as DateConstructor;
