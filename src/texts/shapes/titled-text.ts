/** A heading, and the text below it. */
export interface TitledText {
  readonly title: string;
  readonly text: string;
}
