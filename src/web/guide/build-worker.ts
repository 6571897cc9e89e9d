/** A worker thread that builds the guide, and sends its files. */
import { resolve } from "node:path";
import { parentPort } from "node:worker_threads";
import { buildGuide } from "./build-guide.ts";

parentPort?.postMessage(buildGuide(resolve(import.meta.dirname, "../../..")));
