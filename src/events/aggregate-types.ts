import { EVENT_TEXTS } from "./catalogue.ts";

/** What the objects of events are, each with an English text. */
const AGGREGATE_TEXTS = {
  instance: "Instance",
  org: "Organization",
  user: "User",
  app: "Application",
  idp: "Identity provider",
  label_policy: "Label policy",
  webhook: "Webhook",
  api: "API",
  scim_connection: "SCIM connection",
} as const;

/** The beginnings of event types that do not name their object. */
const BY_BEGINNING: readonly (readonly [RegExp, keyof typeof AGGREGATE_TEXTS])[] = [
  [/^(instance|org)\.idp\./, "idp"],
  [/^(instance|org)\.label\.policy\./, "label_policy"],
  [/^org\.webhook\./, "webhook"],
  [/^org\.api\./, "api"],
  [/^org\.scim\.connection\./, "scim_connection"],
];

/** What the object of an event is, such as `user`. */
export function toAggregateType(eventType: string): string {
  const [, type] = BY_BEGINNING.find(([beginning]) => beginning.test(eventType)) ?? [];
  return type ?? eventType.slice(0, Math.max(0, eventType.indexOf(".")));
}

/** The text of a type of objects; the type itself if another version of the service recorded the event. */
export function toAggregateText(type: string): string {
  return Object.hasOwn(AGGREGATE_TEXTS, type) ? AGGREGATE_TEXTS[type as keyof typeof AGGREGATE_TEXTS] : type;
}

/** The types of the events of objects of these types. */
export function eventTypesOf(aggregateTypes: readonly string[]): string[] {
  return Object.keys(EVENT_TEXTS).filter((type) => aggregateTypes.includes(toAggregateType(type)));
}
