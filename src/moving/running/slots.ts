/** Places for a limited number of tasks, which one producer starts in order. */
interface Slots {
  /** Starts a task once there is a place for it, and resolves then. The task must not reject. */
  start(task: () => Promise<void>): Promise<void>;
  /** Waits until all tasks have ended. */
  idle(): Promise<void>;
}

export function createSlots(count: number): Slots {
  let running = 0;
  let onEnd = () => {};
  const nextEnd = () =>
    new Promise<void>((resolve) => {
      onEnd = resolve;
    });
  return {
    async start(task) {
      while (running >= count) await nextEnd();
      running += 1;
      void task().finally(() => {
        running -= 1;
        onEnd();
      });
    },
    async idle() {
      while (running > 0) await nextEnd();
    },
  };
}
