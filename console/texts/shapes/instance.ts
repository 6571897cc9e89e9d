/** The texts of the settings of the instance. The keys of the tables are the numbers of the enums of the API. */
export interface InstanceTexts {
  readonly title: string;
  readonly id: string;
  readonly embedded: string;
  readonly migration: string;
  readonly health: string;
  readonly database: string;
  readonly reached: string;
  readonly migrations: string;
  readonly allRun: string;
  readonly pending: string;
  readonly routes: Readonly<Record<0 | 1 | 2 | 3, string>>;
  readonly queuedEmails: string;
  readonly queuedSms: string;
  readonly oldest: string;
  readonly check: string;
  readonly keys: string;
  readonly key: string;
  readonly use: string;
  readonly signs: (algorithm: string) => string;
  readonly encrypts: string;
  readonly keyState: string;
  readonly keyStates: Readonly<Record<0 | 1 | 2 | 3, string>>;
  readonly created: string;
  readonly age: string;
  readonly rotate: string;
  readonly settings: string;
  readonly settingsText: string;
  readonly notSet: string;
}
