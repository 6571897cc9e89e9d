import { EVENT_TEXTS } from "../../src/events/catalogue.ts";
import { eventWords } from "./values.tsx";

/** A type of events, with its words in the language of the page. */
export interface NamedType {
  readonly type: string;
  readonly words: string;
}

/** All types of events, in the order of their names. */
export function listEventTypes(): NamedType[] {
  return Object.entries(EVENT_TEXTS)
    .map(([type, text]) => ({ type, words: eventWords(type, text) }))
    .sort((one, other) => (one.type < other.type ? -1 : 1));
}
