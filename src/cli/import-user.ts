import { readFileSync } from "node:fs";
import { type JsonValue, toJson } from "@bufbuild/protobuf";
import { ImportHumanUserRequestSchema, ImportHumanUserResponseSchema } from "../../gen/signet/v1/management_pb.js";
import type { Config } from "../config.ts";
import { SignetError } from "../errors.ts";
import { inOrg } from "../moving/in-org.ts";
import { parseJson } from "../rpc/json/json-syntax.ts";
import { readMessage } from "../rpc/json/read-message.ts";
import { type OrgOptions, withApi } from "./api.ts";
import { given } from "./given.ts";
import { findNamedOrg } from "./named-org.ts";
import { print } from "./print.ts";
import { UsageError } from "./usage-error.ts";

interface ImportUserOptions extends OrgOptions {
  /** File with the request; `-` is the standard input. */
  readonly file?: string;
  readonly userName?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly phone?: string;
  readonly phoneVerified?: boolean;
  readonly language?: string;
}

/** `signet user import-one`: imports the user in a file with a request, or in the options. */
export async function importUserCommand(configuration: () => Config, options: ImportUserOptions): Promise<void> {
  const request = readRequest(options);
  await withApi(configuration, options, async (api) => {
    const response = await api.management.importHumanUser(request, inOrg(await findNamedOrg(api, options.org)));
    const link = response.passwordlessRegistration?.link;
    print(options.json, toJson(ImportHumanUserResponseSchema, response), [
      response.userId,
      ...(link === undefined ? [] : [`link to register a passkey: ${link}`]),
      ...response.warnings.map(({ field, description }) => `warning: ${field} ${description}`),
    ]);
  });
}

function readRequest({ file, ...options }: ImportUserOptions) {
  try {
    const json = file === undefined ? toRequest(options) : parseJson(readFileSync(file === "-" ? 0 : file));
    return readMessage(ImportHumanUserRequestSchema, json);
  } catch (error) {
    throw error instanceof SignetError ? new UsageError(error.message) : error;
  }
}

/** The request in JSON. The user name is the address by default. */
function toRequest(options: Omit<ImportUserOptions, "file">): JsonValue {
  const { userName = options.email, firstName, lastName, email } = options;
  const { emailVerified, phone, phoneVerified, language } = options;
  return given({
    userName,
    profile: given({ firstName, lastName, preferredLanguage: language }),
    email: given({ email, isEmailVerified: emailVerified }),
    phone: phone === undefined ? undefined : given({ phone, isPhoneVerified: phoneVerified }),
  });
}
