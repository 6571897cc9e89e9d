import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** A process and all of its descendants, from /proc. Empty if it has ended. */
export function processTree(pid: number): number[] {
  const state = tryRead(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (state === undefined || /^\d+ \(.*\) [ZX]/s.test(state)) return [];
  const threads = tryRead(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const children = threads.flatMap((thread) => {
    // A thread may end between the two reads without the process ending.
    const text = tryRead(() => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")) ?? "";
    return text.split(" ").map(Number).filter(Boolean);
  });
  return [pid, ...children.flatMap(processTree)];
}

/** Total resident memory of processes in bytes. Shared pages count for each process. */
export function memoryBytes(pids: readonly number[]): number {
  return sum(pids, (pid) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024);
}

/** Total CPU seconds of processes, for all threads, in user and kernel mode. */
export function cpuSeconds(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  });
}

/** Total busy seconds of all of the machine's cores since boot. */
export function busySeconds(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = (
    readFileSync("/proc/stat", "utf8").split("\n")[0] ?? ""
  )
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq + steal) / 100;
}

/** CPU seconds as a percentage of all cores. */
export function toPercent(cpu: number, seconds: number): number {
  return Math.round((cpu / seconds / availableParallelism()) * 100);
}

/** Omits processes that end in the meantime. */
function sum(pids: readonly number[], read: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + (tryRead(() => read(pid)) || 0), 0);
}

/** Undefined if the process or thread has ended in the meantime. */
function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
