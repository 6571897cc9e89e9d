/** The words for what the API describes in English only. A language without an entry has those of the API. */
export interface EventTexts {
  /** By type of event, such as `user.locked`. */
  readonly types: Readonly<Record<string, string>>;
  /** By type of object, such as `user`. */
  readonly objects: Readonly<Record<string, string>>;
}
