import { type DescFile, type DescMessage, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { file_google_rpc_error_details } from "../../../gen/google/rpc/error_details_pb.js";
import { file_google_rpc_status } from "../../../gen/google/rpc/status_pb.js";

/** The files of error details. No service imports them, but tools such as grpcurl need them to decode the details. */
const ERROR_FILES: readonly DescFile[] = [file_google_rpc_error_details, file_google_rpc_status];

/** Finds the files of services and error details by the keys that clients may use. */
export interface DescriptorIndex {
  /** Such as `signet/v1/management.proto`. */
  findFile(name: string): DescFile | undefined;
  /** @param symbol Full name of a service, method, message, field, oneof, enum, enum value or extension. */
  findSymbol(symbol: string): DescFile | undefined;
  findExtension(typeName: string, number: number): DescFile | undefined;
  /** The numbers of a message's known extensions; undefined for an unknown message. */
  extensionNumbers(typeName: string): number[] | undefined;
  /** A `google.protobuf.FileDescriptorProto`, serialized. */
  bytesOf(file: DescFile): Uint8Array;
}

export function createDescriptorIndex(services: readonly DescService[]): DescriptorIndex {
  const files = new Map<string, DescFile>();
  const symbols = new Map<string, DescFile>();
  const extensions = new Map<string, Map<number, DescFile>>();
  const bytes = new Map<DescFile, Uint8Array>();
  for (const file of [...services.map(({ file }) => file), ...ERROR_FILES]) addFile(file);

  function addFile(file: DescFile): void {
    if (files.has(file.proto.name)) return;
    files.set(file.proto.name, file);
    for (const dependency of file.dependencies) addFile(dependency);
    for (const message of file.messages) addMessage(file, message);
    for (const each of file.enums) addEnum(file, each);
    for (const each of file.extensions) addExtension(file, each);
    for (const service of file.services) {
      symbols.set(service.typeName, file);
      for (const { name } of service.methods) symbols.set(`${service.typeName}.${name}`, file);
    }
  }

  function addMessage(file: DescFile, message: DescMessage): void {
    const { typeName } = message;
    symbols.set(typeName, file);
    if (!extensions.has(typeName)) extensions.set(typeName, new Map());
    for (const { name } of [...message.fields, ...message.oneofs]) symbols.set(`${typeName}.${name}`, file);
    for (const nested of message.nestedMessages) addMessage(file, nested);
    for (const nested of message.nestedEnums) addEnum(file, nested);
    for (const nested of message.nestedExtensions) addExtension(file, nested);
  }

  function addEnum(file: DescFile, { typeName, values }: DescFile["enums"][number]): void {
    symbols.set(typeName, file);
    // Enum values are siblings of their enum (google/protobuf/descriptor.proto, EnumValueDescriptorProto).
    const scope = typeName.slice(0, typeName.lastIndexOf(".") + 1);
    for (const { name } of values) symbols.set(scope + name, file);
  }

  function addExtension(file: DescFile, { typeName, extendee, number }: DescFile["extensions"][number]): void {
    symbols.set(typeName, file);
    const numbers = extensions.get(extendee.typeName) ?? new Map<number, DescFile>();
    extensions.set(extendee.typeName, numbers.set(number, file));
  }

  return {
    findFile: (name) => files.get(name),
    findSymbol: (symbol) => symbols.get(symbol),
    findExtension: (typeName, number) => extensions.get(typeName)?.get(number),
    extensionNumbers(typeName) {
      const numbers = extensions.get(typeName);
      return numbers && [...numbers.keys()];
    },
    bytesOf(file) {
      let serialized = bytes.get(file);
      if (serialized === undefined) {
        serialized = toBinary(FileDescriptorProtoSchema, file.proto);
        bytes.set(file, serialized);
      }
      return serialized;
    },
  };
}
