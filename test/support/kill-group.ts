/** Ends a process that was started with `detached`, and the processes that it has started. */
export function killGroup(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}
