import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** A process and all that descend from it, by /proc. Empty where it has ended. */
export function processTree(pid: number): number[] {
  const children: number[] = [];
  try {
    if (/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) return [];
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const text = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim();
      if (text !== "") children.push(...text.split(" ").map(Number));
    }
  } catch {
    return [];
  }
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
  return pids.reduce((total, pid) => {
    try {
      return total + (read(pid) || 0);
    } catch {
      return total;
    }
  }, 0);
}
