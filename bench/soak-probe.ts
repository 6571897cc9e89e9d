/**
 * Loaded before the server (`--import`): reports its memory to the parent process, after two garbage collections. Needs
 * `--expose-gc`.
 */
process.on("message", (message) => {
  if (message !== "memory") return;
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// The server exits as if there were no parent.
process.channel?.unref();
