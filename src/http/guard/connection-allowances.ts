import { FrameAllowance, type MillisecondClock } from "./frame-allowance.ts";
import type { Http2Budgets } from "./http2-budgets.ts";

/** The remaining budgets of one connection, by frame type. */
export class ConnectionAllowances {
  readonly streams: FrameAllowance;
  readonly resets: FrameAllowance;
  readonly settings: FrameAllowance;
  readonly pings: FrameAllowance;
  readonly windowUpdates: FrameAllowance;
  readonly smallData: FrameAllowance;
  readonly headerBytes: FrameAllowance;
  readonly otherFrames: FrameAllowance;

  constructor(budgets: Http2Budgets, clock: MillisecondClock) {
    this.streams = new FrameAllowance(budgets.streams, clock);
    this.resets = new FrameAllowance(budgets.resets, clock);
    this.settings = new FrameAllowance(budgets.settings, clock);
    this.pings = new FrameAllowance(budgets.pings, clock);
    this.windowUpdates = new FrameAllowance(budgets.windowUpdates, clock);
    this.smallData = new FrameAllowance(budgets.smallData, clock);
    this.headerBytes = new FrameAllowance(budgets.headerBytes, clock);
    this.otherFrames = new FrameAllowance(budgets.otherFrames, clock);
  }

  /** A new stream was opened. */
  creditStream(): void {
    this.resets.creditStream();
    this.pings.creditStream();
    this.windowUpdates.creditStream();
    this.smallData.creditStream();
    this.headerBytes.creditStream();
    this.otherFrames.creditStream();
  }
}
