import { createFileRegistry, createRegistry, type DescMessage, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { field as rules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

const list = (number: number, name: string, more: object) => ({
  name,
  jsonName: name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  number,
  label: "LABEL_REPEATED",
  ...more,
});
const limited = { options: { "[buf.validate.field]": { repeated: { maxItems: "3" } } } };
const message = { type: "TYPE_MESSAGE", typeName: ".t.Limited" };
const file = fromJson(
  FileDescriptorProtoSchema,
  {
    name: "limited.proto",
    package: "t",
    syntax: "proto3",
    messageType: [
      {
        name: "Limited",
        field: [
          list(1, "wide_items", { ...message, ...limited }),
          list(2, "free", message),
          list(3, "numbers", { type: "TYPE_INT32" }),
          list(4, "doubles", { type: "TYPE_DOUBLE" }),
          { ...list(5, "child", message), label: "LABEL_OPTIONAL" },
        ],
      },
    ],
  } as JsonValue,
  { registry: createRegistry(rules) },
);

/** A message with lists: `wide_items`, at most 3, and `free` hold messages; `numbers` and `doubles` are packed. */
export const LimitedSchema: DescMessage = find();

function find(): DescMessage {
  const desc = createFileRegistry(file, () => undefined).getMessage("t.Limited");
  if (!desc) throw new Error("t.Limited is not in the file");
  return desc;
}
