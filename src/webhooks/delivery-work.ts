/** What a process that delivers to webhooks still has to do. */
export interface DeliveryWork {
  /** Whether there may be events without deliveries. */
  readonly mayFeed: boolean;
  /** Whether a webhook may have due deliveries. */
  readonly mayClaim: boolean;
  /** There may be new events, and due deliveries of any webhook. */
  wake(): void;
  /** The webhook may have due deliveries; without an id, any one. */
  add(webhookId?: string): void;
  /** Called before new events are looked for. */
  startFeed(): void;
  /** There may be more events, and new deliveries of any webhook. */
  continueFeed(): void;
  /** Takes the webhooks that may have due deliveries; undefined for all. */
  take(): readonly string[] | undefined;
  /** Resolves with the next call of `wake` or `proceed`. */
  next(): Promise<void>;
  /** Lets the process look whether there is something to do. */
  proceed(): void;
}

export function createDeliveryWork(): DeliveryWork {
  let mayFeed = true;
  let pending: Set<string> | "all" = "all";
  let woken = Promise.withResolvers<void>();
  return {
    get mayFeed() {
      return mayFeed;
    },
    get mayClaim() {
      return pending === "all" || pending.size > 0;
    },
    wake() {
      mayFeed = true;
      pending = "all";
      woken.resolve();
    },
    add(webhookId) {
      if (webhookId === undefined) pending = "all";
      else if (pending !== "all") pending.add(webhookId);
    },
    startFeed() {
      mayFeed = false;
    },
    continueFeed() {
      mayFeed = true;
      pending = "all";
    },
    take() {
      const taken = pending === "all" ? undefined : [...pending];
      pending = new Set();
      return taken;
    },
    next() {
      woken = Promise.withResolvers();
      return woken.promise;
    },
    proceed: () => woken.resolve(),
  };
}
