import { create } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FileDescriptorProto,
  type MethodOptions,
  MethodOptionsSchema,
} from "@bufbuild/protobuf/wkt";

/** The number of the option `read_only` of methods (options.proto), by which the client knows what it may repeat. */
const READ_ONLY = 50_004;

/**
 * Empties the messages that are not used, because generated code finds messages by their position, and removes other
 * methods and all options but `read_only`. Changes the file.
 *
 * @param types Full names of the messages to keep.
 * @param methods Full names of the methods to keep.
 */
export function trimFile(
  file: FileDescriptorProto,
  types: ReadonlySet<string>,
  methods: ReadonlySet<string>,
): FileDescriptorProto {
  delete file.options;
  file.messageType = file.messageType.map((message) => trimMessage(message, `${file.package}.${message.name}`, types));
  for (const service of file.service) {
    const name = `${file.package}.${service.name}`;
    service.method = service.method.filter((method) => methods.has(`${name}.${method.name}`));
    for (const method of service.method)
      if (method.options !== undefined) method.options = keepReadOnly(method.options);
  }
  return file;
}

function trimMessage(message: DescriptorProto, name: string, types: ReadonlySet<string>): DescriptorProto {
  const nestedType = message.nestedType.map((nested) => trimMessage(nested, `${name}.${nested.name}`, types));
  const { enumType } = message;
  if (!types.has(name)) return create(DescriptorProtoSchema, { name: message.name, nestedType, enumType });
  for (const field of message.field) delete field.options;
  message.nestedType = nestedType;
  return message;
}

function keepReadOnly({ $unknown = [] }: MethodOptions): MethodOptions {
  return Object.assign(create(MethodOptionsSchema), { $unknown: $unknown.filter(({ no }) => no === READ_ONLY) });
}
