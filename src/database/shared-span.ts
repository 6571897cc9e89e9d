import type { Span } from "../telemetry/span.ts";
import type { Command } from "./command.ts";
import type { Query } from "./database.ts";
import { summarize } from "./statement-summary.ts";

/**
 * Starts the span of a statement that runs commands of several calls. Its one parent is the command of a call whose
 * trace is exported, if any. Links connect it with the commands of all recorded calls, in both directions.
 *
 * @returns Undefined if no call is recorded.
 */
export function startSharedSpan(commands: readonly Command[], { sql, summary }: Query): Span | undefined {
  const spans = findSpans(commands);
  const parent = spans.find(({ isHeld }) => !isHeld) ?? spans[0];
  if (parent === undefined) return undefined;
  const { name, attributes } = summary ?? summarize(sql);
  const shared = parent.child(name, {
    kind: "client",
    attributes: { ...attributes, "signet.commands": commands.length },
    links: spans,
  });
  if (shared === undefined) return undefined;
  for (const span of spans) if (span !== parent) span.link(shared);
  return shared;
}

function findSpans(commands: readonly Command[]): Span[] {
  const spans: Span[] = [];
  for (const { waiters } of commands) {
    for (const { span } of waiters) if (span !== undefined) spans.push(span);
  }
  return spans;
}
