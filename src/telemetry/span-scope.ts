import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "./span.ts";

const SCOPE = new AsyncLocalStorage<Span>();

/**
 * Runs a function whose HTTP requests belong to the span. Use it only for libraries that do not pass arguments through;
 * everywhere else, pass the span as an argument.
 */
export function runInSpan<Result>(span: Span | undefined, run: () => Result): Result {
  return span === undefined ? run() : SCOPE.run(span, run);
}

/** The span of the innermost `runInSpan`. */
export function currentSpan(): Span | undefined {
  return SCOPE.getStore();
}
