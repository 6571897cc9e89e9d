/** A measured value, with a rule and a bound if there is a goal. */
export interface Figure {
  readonly name: string;
  /** The median if it was measured several times. */
  readonly value: number;
  readonly unit: string;
  readonly rule?: "at most" | "at least";
  readonly bound?: number;
  readonly all?: readonly number[];
}
