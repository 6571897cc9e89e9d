import type { ImportOptions, NameRule } from "../../../../src/moving/options.ts";

/** The texts of the import, which are loaded with it. */
export interface ImportTexts {
  readonly title: string;
  readonly intro: string;
  readonly guide: string;
  readonly notAllowed: string;
  readonly steps: { readonly choose: string; readonly preview: string; readonly run: string; readonly report: string };
  readonly source: string;
  readonly sourceHint: string;
  readonly files: string;
  readonly filesHint: string;
  readonly chooseFiles: string;
  readonly dropHere: string;
  readonly options: string;
  readonly check: string;
  readonly checkAgain: string;
  readonly names: { readonly title: string; readonly hint: string; readonly rules: Readonly<Record<NameRule, string>> };
  readonly region: string;
  readonly regionHint: string;
  readonly messages: { readonly title: string; readonly rules: Readonly<Record<ImportOptions["messages"], string>> };
  readonly subjects: {
    readonly title: string;
    readonly rules: Readonly<Record<ImportOptions["subjects"] | "usual", string>>;
    readonly onlyNew: string;
  };
  readonly rpId: string;
  readonly rpIdHint: string;
  readonly map: string;
  readonly mapHint: string;
  readonly dropInvalid: string;
  readonly droppable: Readonly<Record<string, string>>;
  readonly allowShared: string;
  readonly shareable: Readonly<Record<string, string>>;
  readonly firebase: {
    readonly signerKey: string;
    readonly saltSeparator: string;
    readonly rounds: string;
    readonly memCost: string;
  };
  readonly reading: (count: string) => string;
  readonly stop: string;
  readonly tooLarge: string;
  readonly command: string;
  readonly back: string;
  readonly counts: {
    readonly records: string;
    readonly ready: string;
    readonly existing: string;
    readonly refused: string;
    readonly skipped: string;
  };
  readonly joined: (count: string, users: string) => string;
  readonly comesAcross: string;
  readonly lost: string;
  readonly refusals: string;
  readonly skips: string;
  readonly madeNames: string;
  readonly what: string;
  readonly users: string;
  readonly first: string;
  /** By the name that the check gives a field. */
  readonly fields: Readonly<Record<string, string>>;
  readonly emails: (count: string) => string;
  readonly sms: (count: string) => string;
  readonly noEmails: string;
  readonly noSms: string;
  /** By the reason that the check gives. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly rest: string;
  readonly providers: { readonly title: string; readonly hint: string; readonly none: string; readonly lost: string };
  readonly start: (count: number, formatted: string) => string;
  readonly compare: (count: number, formatted: string) => string;
  readonly nothing: string;
  readonly progress: (done: string, total: string) => string;
  readonly rate: (perSecond: string, refused: string) => string;
  readonly left: (minutes: number, seconds: number) => string;
  readonly pause: string;
  readonly pausing: string;
  readonly paused: string;
  readonly continue: string;
  readonly failed: string;
  readonly again: string;
  readonly complete: string;
  readonly outcomes: Readonly<Record<"imported" | "same" | "differs" | "refused" | "skipped", string>>;
  readonly runName: string;
  readonly downloadReport: string;
  readonly downloadRefused: string;
  readonly refusedHint: string;
  /** Values that were changed, or that have no effect. */
  readonly warnings: string;
  readonly differences: string;
  readonly place: string;
  readonly id: string;
  readonly problem: string;
  readonly more: (count: string) => string;
  readonly another: string;
  readonly undo: {
    readonly button: string;
    readonly title: string;
    readonly counting: string;
    readonly text: (existing: string, imported: string, signedIn: string) => string;
    readonly keep: string;
    readonly confirm: (count: number, formatted: string) => string;
    readonly removed: (removed: string, kept: string) => string;
    readonly refused: (count: string) => string;
  };
  readonly leave: string;
}
