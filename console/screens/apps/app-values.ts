import { create } from "@bufbuild/protobuf";
import { type App, type OIDCConfig, OIDCConfigSchema } from "../../../gen/signet/v1/app_pb.js";

/** The configuration of an application that the forms change, by the names of the API. */
export type AppValues = Omit<OIDCConfig, "$typeName" | "$unknown" | "clientId" | "responseTypes">;

export function toValues({ config: { value } }: App): AppValues {
  return value ?? create(OIDCConfigSchema);
}

/** The names of the proto file, such as `redirect_uris` for `redirectUris`. */
export function toMask(names: readonly string[]): { paths: string[] } {
  return { paths: names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) };
}
