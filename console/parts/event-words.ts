import { texts } from "../state/language.ts";

/** The words for a type of event in the language of the page; those of the API if the language has none. */
export function eventWords(type: string, ofApi: string | undefined): string {
  return wordsIn(texts.value.events.types, type, ofApi);
}

/** The same for a type of object. */
export function objectWords(type: string, ofApi: string | undefined): string {
  return wordsIn(texts.value.events.objects, type, ofApi);
}

function wordsIn(table: Readonly<Record<string, string>>, type: string, ofApi: string | undefined): string {
  return (Object.hasOwn(table, type) ? table[type] : ofApi) || type;
}
