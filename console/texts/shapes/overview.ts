import type { StepName } from "../../screens/overview/find-steps.ts";

/** The texts of the overview of an organization. */
export interface OverviewTexts {
  readonly title: string;
  readonly first: string;
  readonly progress: (done: number, total: number) => string;
  readonly isDone: string;
  /** What to do first, and why. */
  readonly steps: Readonly<Record<StepName, { readonly title: string; readonly reason: string }>>;
  readonly activity: string;
  /** The caption of the numbers of a chart. */
  readonly byHour: (title: string) => string;
  /** A formatted number: the chart shows only the latest events. */
  readonly latestOnly: (count: string) => string;
  readonly waiting: string;
  readonly noFailed: string;
  readonly failed: (count: string) => string;
}
