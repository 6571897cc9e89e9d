/** Returns the current time. Operations read the time through it, so that tests can set it. */
export type Clock = () => Date;
