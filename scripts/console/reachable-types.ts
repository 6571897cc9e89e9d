import type { DescriptorProto, FileDescriptorProto } from "@bufbuild/protobuf/wkt";

/** What a set of methods uses. */
export interface Reachable {
  /** Full names of messages and enums, such as `signet.v1.User`. */
  readonly types: ReadonlySet<string>;
  /** Names of files with such a type, or with one of the methods, such as `signet/v1/user.proto`. */
  readonly files: ReadonlySet<string>;
}

/**
 * Finds the types that methods use, directly or in fields.
 *
 * @param methods Full names, such as `signet.v1.AuthService.GetMyUser`.
 * @throws Error for a method that does not exist.
 */
export function findReachable(files: readonly FileDescriptorProto[], methods: ReadonlySet<string>): Reachable {
  const messages = new Map<string, { readonly message: DescriptorProto; readonly file: string }>();
  const enums = new Map<string, string>();
  for (const file of files) {
    for (const message of file.messageType) addMessage(message, `${file.package}.${message.name}`, file.name);
    for (const { name } of file.enumType) enums.set(`${file.package}.${name}`, file.name);
  }
  const types = new Set<string>();
  const reachedFiles = new Set<string>();
  const found = new Set<string>();
  for (const file of files) {
    for (const service of file.service) {
      for (const { name, inputType, outputType } of service.method) {
        const method = `${file.package}.${service.name}.${name}`;
        if (!methods.has(method)) continue;
        found.add(method);
        reachedFiles.add(file.name);
        reach(inputType.slice(1));
        reach(outputType.slice(1));
      }
    }
  }
  const unknown = [...methods].filter((method) => !found.has(method));
  if (unknown.length > 0) throw new Error(`no such method: ${unknown.join(", ")}`);
  return { types, files: reachedFiles };

  function addMessage(message: DescriptorProto, name: string, file: string): void {
    messages.set(name, { message, file });
    for (const nested of message.nestedType) addMessage(nested, `${name}.${nested.name}`, file);
    for (const nested of message.enumType) enums.set(`${name}.${nested.name}`, file);
  }

  function reach(name: string): void {
    const file = messages.get(name)?.file ?? enums.get(name);
    // Types of other packages, such as Timestamp, are kept as they are.
    if (types.has(name) || file === undefined) return;
    types.add(name);
    reachedFiles.add(file);
    for (const { typeName } of messages.get(name)?.message.field ?? []) if (typeName) reach(typeName.slice(1));
  }
}
