import type { DescField } from "@bufbuild/protobuf";

/** The value of a message field; undefined if it is not set, such as the other members of a oneof. */
export function readField(message: object, field: DescField): unknown {
  if (field.oneof === undefined) return message[field.localName as keyof typeof message];
  const member = message[field.oneof.localName as keyof typeof message] as { case?: string; value?: unknown };
  return member.case === field.localName ? member.value : undefined;
}
