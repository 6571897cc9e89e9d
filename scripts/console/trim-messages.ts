import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Plugin } from "esbuild";
import { findReachable } from "./reachable-types.ts";
import { trimFile } from "./trim-file.ts";

/** The descriptor of a generated file, and the variables of the files that it imports. */
const DESCRIPTOR = /fileDesc\("([^"]*)"(?:, \[([^\]]*)\])?\)/;

/**
 * Removes from generated code what the console does not need: the methods that it does not call, the content of messages
 * that no remaining method uses, and rules and routes. The file would otherwise be several times as large.
 *
 * @param folder The folder of the generated code.
 * @param methods The full names of the methods to keep.
 */
export function trimMessages(folder: string, methods: ReadonlySet<string>): Plugin {
  const sources = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith("_pb.js"))
      .map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]),
  );
  const files = [...sources.values()].map(readDescriptor);
  const reachable = findReachable(files, methods);
  const used = new Set(files.filter((file) => reachable.files.has(file.name)).map(toVariable));

  function trim(source: string): string {
    const { name } = readDescriptor(source);
    // Its extension says which methods only read.
    if (name === "signet/v1/options.proto") return source;
    return source.replace(DESCRIPTOR, (_, encoded: string, imports = "") => {
      const kept = imports.split(", ").filter((each: string) => used.has(each) || /^file_google_protobuf_/.test(each));
      const file = trimFile(fromBinary(FileDescriptorProtoSchema, base64Decode(encoded)), reachable.types, methods);
      const bytes = toBinary(FileDescriptorProtoSchema, file);
      return `fileDesc("${base64Encode(bytes, "std_raw")}", [${kept.join(", ")}])`;
    });
  }

  return {
    name: "trim-messages",
    setup(build) {
      build.onLoad({ filter: /_pb\.js$/ }, ({ path }) => {
        const source = sources.get(path);
        return source === undefined ? undefined : { contents: trim(source), loader: "js" };
      });
    },
  };
}

function readDescriptor(source: string): FileDescriptorProto {
  const [, encoded] = DESCRIPTOR.exec(source) ?? [];
  if (encoded === undefined) throw new Error("a generated file has no descriptor");
  return fromBinary(FileDescriptorProtoSchema, base64Decode(encoded));
}

/** `file_signet_v1_user` for `signet/v1/user.proto`. */
function toVariable({ name }: FileDescriptorProto): string {
  return `file_${name.replace(/\.proto$/, "").replaceAll("/", "_")}`;
}
