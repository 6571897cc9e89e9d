/** The texts about APIs of organizations. */
export interface ApisTexts {
  readonly title: string;
  readonly api: string;
  readonly add: string;
  readonly none: string;
  readonly identifier: string;
  readonly identifierHint: string;
  readonly scopes: string;
  readonly scopesHint: string;
  readonly introspectors: string;
  readonly introspectorsHint: string;
  readonly settings: string;
  readonly stale: string;
  readonly removeText: string;
}
