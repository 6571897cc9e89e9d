/** A requested stop, in its two steps. */
export interface Stop {
  /** Resolves with the reason for the first request: from then on, the service is not ready. */
  readonly requested: Promise<string>;
  /** Resolves SHUTDOWN_DELAY_MS later, or at a second request: the port must close. */
  readonly due: Promise<void>;
}

/** A stop requested by the caller. */
interface StopSwitch extends Stop {
  /** The first call starts the delay. */
  request(reason: string): void;
  /** Ends the delay. Returns false if it has already ended. */
  hurry(): boolean;
}

export function createStop(delayMs: number): StopSwitch {
  const requested = Promise.withResolvers<string>();
  const due = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;

  function hurry(): boolean {
    if (isDue) return false;
    isDue = true;
    clearTimeout(timer);
    due.resolve();
    return true;
  }

  return {
    requested: requested.promise,
    due: due.promise,
    request(reason) {
      requested.resolve(reason);
      if (delayMs === 0) hurry();
      else if (!isDue) timer ??= setTimeout(hurry, delayMs).unref();
    },
    hurry,
  };
}
