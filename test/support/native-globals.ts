import { ModernFakeTimers } from "@jest/fake-timers";
import { ModuleMocker } from "jest-mock";

/** The functions of jest-circus for the current test file. */
export type TestGlobals = Record<string, unknown>;

let current: TestGlobals = {};

export function setTestGlobals(globals: TestGlobals): void {
  current = globals;
}

/** Modules of `test/support` are evaluated once, so what they import must lead to the current test file. */
function toCurrent(name: string): unknown {
  const find = () => current[name] as (...args: unknown[]) => unknown;
  return new Proxy(() => {}, {
    apply: (_target, _this, args) => find()(...args),
    get: (_target, key) => Reflect.get(find(), key),
  });
}

// The functions that tests import from `@jest/globals`, which has the types.
export const afterAll = toCurrent("afterAll");
export const afterEach = toCurrent("afterEach");
export const beforeAll = toCurrent("beforeAll");
export const beforeEach = toCurrent("beforeEach");
export const describe = toCurrent("describe");
export const expect = toCurrent("expect");
export const test = toCurrent("test");

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({
  global: globalThis,
  // Only the defaults for `useFakeTimers` are read.
  config: { fakeTimers: {} } as ConstructorParameters<typeof ModernFakeTimers>[0]["config"],
});

/** The part of Jest's object that the tests use. */
export const jest = {
  spyOn: mocker.spyOn.bind(mocker),
  useFakeTimers: timers.useFakeTimers.bind(timers),
  useRealTimers: timers.useRealTimers.bind(timers),
  advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
  advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
  getTimerCount: timers.getTimerCount.bind(timers),
};
