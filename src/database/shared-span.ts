import type { CompiledQuery } from "kysely";
import type { Span } from "../telemetry/span.ts";
import type { Entry } from "./command-queue.ts";
import { summarize } from "./statement-summary.ts";

/**
 * Starts the span of a statement that runs commands of several calls. Its one parent is the command of a call whose
 * trace is exported, if any. Links connect it with the commands of all recorded calls, in both directions.
 *
 * @returns Undefined if no call is recorded.
 */
export function startSharedSpan(entries: readonly Entry[], compile: () => CompiledQuery | undefined): Span | undefined {
  const spans = findSpans(entries);
  const parent = spans.find(({ isHeld }) => !isHeld) ?? spans[0];
  if (parent === undefined) return undefined;
  const query = compile();
  if (query === undefined) return undefined;
  const { name, attributes } = summarize(query);
  const shared = parent.child(name, {
    kind: "client",
    attributes: { ...attributes, "signet.commands": entries.length },
    links: spans,
  });
  if (shared === undefined) return undefined;
  for (const span of spans) if (span !== parent) span.link(shared);
  return shared;
}

function findSpans(entries: readonly Entry[]): Span[] {
  const spans: Span[] = [];
  for (const { waiters } of entries) {
    for (const { span } of waiters) if (span !== undefined) spans.push(span);
  }
  return spans;
}
