import { setFlagsFromString } from "node:v8";

/**
 * Flags that also take effect in a running process, because V8 reads their values each time. All threads share them.
 * Resident memory after 10,000 imports was 547 MB without them and 380 MB with them, at the same CPU time per call.
 */
const FLAGS = [
  // The space for short-lived objects keeps the size it has once the modules are loaded, 48 MB. By default, it grows to
  // 104 MB.
  "--semi-space-growth-factor=1",
  // Collect garbage when the heap has grown by half. By default, it may grow several times over.
  "--heap-growing-percent=50",
  // Optimize one WebAssembly function at a time: several would need memory at the same time, and malloc does not return
  // most of it.
  "--wasm-num-compilation-tasks=1",
];

/** Makes V8 trade more garbage collections for less memory, in the process of the embedded database. */
export function saveMemory(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
