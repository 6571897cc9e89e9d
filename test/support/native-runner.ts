import { createRequire, flushCompileCache, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { useCompileCache } from "./compile-cache.ts";
import { setTestGlobals, type TestGlobals } from "./native-globals.ts";

/** The parts of Jest's environment and runtime that this file uses. */
interface Environment {
  readonly global: { readonly console?: Console };
}
type JestRunner = (
  globalConfig: unknown,
  config: unknown,
  environment: Environment,
  runtime: object,
  testPath: string,
  sendMessage: unknown,
) => Promise<unknown>;

const require = createRequire(import.meta.url);
const circus: { default: JestRunner } = require("jest-circus/runner");
const NATIVE_GLOBALS = new URL("./native-globals.ts", import.meta.url).href;
/** The key under which jest-circus shares its event handlers. */
const EVENT_HANDLERS = Symbol.for("EVENT_HANDLERS");

useCompileCache();
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@jest/globals" ? { url: NATIVE_GLOBALS, shortCircuit: true } : next(specifier, context),
});

/**
 * Runs a test file with jest-circus, and lets Node import it. Jest itself would re-evaluate every module for every test
 * file, in a separate realm: most of the suite's CPU time. Here, the modules of the service and its packages are
 * evaluated once per worker. They have no state that tests could share, so tests do not depend on other files.
 */
const runNatively: JestRunner = async (globalConfig, config, environment, _runtime, testPath, sendMessage) => {
  // Jest's own values of these would change the stacks that the service logs.
  Error.stackTraceLimit = 10;
  (Error as { prepareStackTrace?: unknown }).prepareStackTrace = undefined;
  const ownConsole = globalThis.console;
  globalThis.console = environment.global.console ?? ownConsole;
  try {
    return await circus.default(globalConfig, config, environment, createRuntime(), testPath, sendMessage);
  } finally {
    globalThis.console = ownConsole;
    // Otherwise a worker writes it when it exits, which takes longer than the 500 ms after which Jest kills it.
    flushCompileCache();
  }
};
export default runNatively;

/** The methods of Jest's runtime that jest-circus calls. */
function createRuntime() {
  return {
    /** Loads jest-circus with a new state, because it keeps the tests of a file in module variables. */
    requireInternalModule(path: string) {
      delete require.cache[path];
      Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
      return require(path);
    },
    requireModule: require,
    setGlobalsForRuntime: (globals: TestGlobals) => setTestGlobals(globals),
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path: string) => import(pathToFileURL(path).href + runSuffix(path)),
    enterTestCode() {},
    leaveTestCode() {},
  };
}

const runs = new Map<string, number>();

/** In watch mode, a file runs several times in one process, and must be re-evaluated each time. */
function runSuffix(path: string): string {
  const run = (runs.get(path) ?? 0) + 1;
  runs.set(path, run);
  return run === 1 ? "" : `?run=${run}`;
}
