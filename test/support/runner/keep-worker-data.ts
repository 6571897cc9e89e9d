/**
 * Loaded by the processes of the workers before the runner (`global-setup.ts`). jest-light-runner 0.8.2 sends the
 * configuration to all workers once the first one asks for it, and never again: a worker that has not started to listen
 * would wait forever. It gets here what arrived before.
 */
let data: unknown;
let isWatching = false;

process.on("newListener", (event: string, listener: (message: unknown) => void) => {
  if (event !== "message") return;
  if (data !== undefined) process.nextTick(listener, data);
  if (isWatching) return;
  // Not earlier: Node keeps messages until there is a listener.
  isWatching = true;
  process.on("message", (message: { readonly type?: string } | null) => {
    if (message?.type === "jest-light-runner-worker-data") data = message;
  });
});
