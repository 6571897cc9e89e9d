import type { MessageStateName } from "../../screens/messages/message-search.ts";

/** The texts of the messages to users. */
export interface MessagesTexts {
  readonly title: string;
  readonly none: string;
  readonly to: string;
  readonly kind: string;
  readonly state: string;
  readonly queued: string;
  readonly email: string;
  readonly sms: string;
  readonly states: Readonly<Record<MessageStateName, string>>;
  /** By the name in the API. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly attempts: (count: number) => string;
  readonly next: string;
  readonly retry: string;
  readonly count: (count: string) => string;
}
