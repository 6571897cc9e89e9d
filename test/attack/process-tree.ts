import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** A process and all that descend from it, by /proc. Empty where it has ended. */
export function processTree(pid: number): number[] {
  const state = tryRead(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (state === undefined || /^\d+ \(.*\) [ZX]/s.test(state)) return [];
  const threads = tryRead(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const children = threads.flatMap((thread) => {
    // A thread may end between the two reads, which says nothing about the process.
    const text = tryRead(() => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")) ?? "";
    return text.split(" ").map(Number).filter(Boolean);
  });
  return [pid, ...children.flatMap(processTree)];
}

/** Bytes of resident memory of some processes together. Pages that they share count for each. */
export function memoryBytes(pids: readonly number[]): number {
  return sum(pids, (pid) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024);
}

/** Seconds of CPU that some processes have used, of all threads, in user and kernel mode. */
export function cpuSeconds(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  });
}

/** Seconds in which the machine's cores were busy, all together, since it started. */
export function busySeconds(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = (
    readFileSync("/proc/stat", "utf8").split("\n")[0] ?? ""
  )
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq + steal) / 100;
}

/** Seconds of CPU as a share of all cores, in percent. */
export function toPercent(cpu: number, seconds: number): number {
  return Math.round((cpu / seconds / availableParallelism()) * 100);
}

/** Leaves out the processes that end meanwhile. */
function sum(pids: readonly number[], read: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + (tryRead(() => read(pid)) || 0), 0);
}

/** Undefined where the process or thread has ended meanwhile. */
function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
