import { EVENT_TEXTS } from "../../src/events/catalogue.ts";
import { contains } from "./finder.tsx";
import type { Choice } from "./pick-field.tsx";
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

/** Those whose name or words contain a text. */
export function findTypes(types: readonly NamedType[], text: string): readonly NamedType[] {
  return types.filter(({ type, words }) => contains(`${type} ${words}`, text));
}

/** A type as a choice of a field. */
export function toChoice({ type, words }: NamedType): Choice {
  return { value: type, title: words, note: type };
}
