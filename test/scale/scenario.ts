/** The measurements of a scenario, by name. */
export type Figures = Readonly<Record<string, string | number>>;

export interface Scenario {
  readonly title: string;
  /** What has to be installed: programs that are missing, in words. */
  missing(): readonly string[];
  run(): Promise<Figures>;
}
