import type { DescField } from "@bufbuild/protobuf";

/** The value of a field of a message; undefined if the message has none, as for the other members of a oneof. */
export function readField(message: object, field: DescField): unknown {
  if (field.oneof === undefined) return message[field.localName as keyof typeof message];
  const member = message[field.oneof.localName as keyof typeof message] as { case?: string; value?: unknown };
  return member.case === field.localName ? member.value : undefined;
}
