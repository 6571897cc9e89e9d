import { addProblem, type Problems } from "../errors.ts";
import { EVENT_TEXTS, type WebhookPayload } from "../events/catalogue.ts";
import { hostOf } from "../events/host-of.ts";
import { describeEndpointProblem } from "../fields/endpoint.ts";
import { describeNameProblem } from "../fields/name.ts";
import { trimText } from "../fields/trim-text.ts";

/** The settings of a webhook. */
export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
  /** Empty for all types. */
  readonly eventTypes: readonly string[];
  readonly includesPayload: boolean;
}

/** Checks the rules of the settings that the schema cannot express. */
export function checkWebhook<Request extends WebhookSettings>(request: Request, problems: Problems): Request {
  const { url, eventTypes } = request;
  const name = trimText(request.name);
  // The schema rejects an empty name and an empty URL.
  addProblem(problems, "name", request.name === "" ? undefined : describeNameProblem(name));
  addProblem(problems, "url", url !== "" && describeEndpointProblem(url));
  for (const [index, type] of eventTypes.entries()) {
    if (WEBHOOK_EVENT_TYPES.includes(type)) continue;
    problems.add(`eventTypes[${index}]`, "must be the type of an event of an organization, such as user.human.added");
  }
  return { ...request, name, eventTypes: [...new Set(eventTypes)] };
}

/** The types of events that a webhook can get. */
export const WEBHOOK_EVENT_TYPES: readonly string[] = Object.keys(EVENT_TEXTS)
  .filter((type) => !type.startsWith("instance."))
  .sort();

/** The payload of an event about the settings. */
export function toWebhookPayload({ name, url, eventTypes, includesPayload }: WebhookSettings): WebhookPayload {
  return { name, host: hostOf(url), eventTypes, includesPayload };
}
