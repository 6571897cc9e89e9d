import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EmailRoute, InstanceKeyState } from "../../../gen/signet/v1/instance_pb.js";
import type { InstanceInfo } from "../../instance/get-instance-info.ts";
import { CHANNELS } from "./user-message.ts";

/** Converts the description of the instance. */
export function toInstanceInfo({ emailRoute, settings, keys, queues, ...info }: InstanceInfo) {
  return {
    ...info,
    pendingMigrations: [...info.pendingMigrations],
    nodeVersion: process.versions.node,
    emailRoute: ROUTES[emailRoute],
    settings: [...settings],
    keys: keys.map(({ id, algorithm, state, createdAt }) => ({
      id,
      algorithm,
      state: KEY_STATES[state],
      creationDate: timestampFromDate(createdAt),
    })),
    queues: queues.map(({ channel, messages, oldestAt }) => ({
      channel: CHANNELS[channel],
      messages: BigInt(messages),
      ...(oldestAt !== undefined && { oldestDate: timestampFromDate(oldestAt) }),
    })),
  };
}

const ROUTES = { none: EmailRoute.NONE, files: EmailRoute.FILES, smtp: EmailRoute.SMTP } as const;

const KEY_STATES = {
  announced: InstanceKeyState.ANNOUNCED,
  current: InstanceKeyState.CURRENT,
  previous: InstanceKeyState.PREVIOUS,
} as const;
