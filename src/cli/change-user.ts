import type { CallOptions } from "@connectrpc/connect";
import type { ObjectDetails } from "../../gen/signet/v1/object_pb.js";
import { SendHumanResetPasswordNotificationRequest_Type as Channel } from "../../gen/signet/v1/user_credential_pb.js";
import type { Config } from "../config.ts";
import { inOrg } from "../moving/in-org.ts";
import { type Api, type JsonOptions, withApi } from "./api.ts";
import { createConfirm } from "./confirm.ts";
import { findNamedUser, type UserName } from "./named-user.ts";
import { print } from "./print.ts";

export interface ChangeUserOptions extends JsonOptions, UserName {
  /** Whether the change needs no confirmation on the terminal. */
  readonly yes?: boolean;
}

interface Change {
  /** The question before the change, if there is one; `%` is the user. */
  readonly question?: string;
  /** What is printed after the change. */
  readonly result: string;
  readonly run: (
    api: Api["management"],
    userId: string,
    options: CallOptions,
  ) => Promise<{ readonly details?: ObjectDetails | undefined }>;
}

/** The commands `signet user …` that make one change. Those that end sessions and cannot be made unnoticed ask first. */
const CHANGES = {
  lock: {
    question: "Lock %, and end all sessions of the user?",
    result: "locked %",
    run: (api, id, options) => api.lockUser({ id }, options),
  },
  unlock: { result: "unlocked %", run: (api, id, options) => api.unlockUser({ id }, options) },
  deactivate: {
    question: "Deactivate %, and end all sessions of the user?",
    result: "deactivated %",
    run: (api, id, options) => api.deactivateUser({ id }, options),
  },
  reactivate: { result: "reactivated %", run: (api, id, options) => api.reactivateUser({ id }, options) },
  erase: {
    question: "Remove %, and erase all personal data of the user? This cannot be undone.",
    result: "erased %",
    run: (api, id, options) => api.removeUser({ id }, options),
  },
  "reset-password": {
    result: "sent an email with a link to set a new password to %",
    run: (api, userId, options) => api.sendHumanResetPasswordNotification({ userId, type: Channel.EMAIL }, options),
  },
  "reset-password --sms": {
    result: "sent an SMS with a link to set a new password to %",
    run: (api, userId, options) => api.sendHumanResetPasswordNotification({ userId, type: Channel.SMS }, options),
  },
} satisfies Record<string, Change>;

/** `signet user lock` and others: makes one change of a user. */
export async function changeUserCommand(
  configuration: () => Config,
  name: keyof typeof CHANGES,
  options: ChangeUserOptions,
): Promise<void> {
  await runChange(configuration, CHANGES[name], options);
}

/** Makes a change of a user, after a question if it has one. */
export async function runChange(
  configuration: () => Config,
  { question, result, run }: Change,
  options: ChangeUserOptions,
): Promise<void> {
  const confirm = createConfirm(question === undefined || options.yes === true);
  await withApi(configuration, options, async (api) => {
    const { id, orgId, label } = await findNamedUser(api, options);
    if (question !== undefined) await confirm(question.replace("%", () => label));
    const { details } = await run(api.management, id, inOrg(orgId));
    print(options.json, { id, orgId: details?.resourceOwner }, [result.replace("%", () => label)]);
  });
}
