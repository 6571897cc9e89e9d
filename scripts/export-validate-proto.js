/**
 * Writes `buf/validate/validate.proto` into the folder given as argument.
 *
 * No npm package carries the file itself, and Signet builds without a schema registry. @bufbuild/protovalidate exports
 * the file's descriptor, from which this prints what a compiler needs: names, numbers, types and labels. Comments and
 * the standard rules' CEL expressions (the runtime has its own copy) are left out.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ScalarType } from "@bufbuild/protobuf";
import { FieldDescriptorProto_Label as Label } from "@bufbuild/protobuf/wkt";
import { file_buf_validate_validate as file } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

const target = join(process.argv[2], `${file.name}.proto`);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  [
    'syntax = "proto2";',
    `package ${file.proto.package};`,
    ...file.dependencies.map((dependency) => `import "${dependency.name}.proto";`),
    ...file.enums.map(printEnum),
    ...file.messages.map(printMessage),
    ...file.extensions.map((extension) => `extend .${extension.extendee.typeName} { ${printField(extension)} }`),
    "",
  ].join("\n"),
);

function printEnum(desc) {
  const values = desc.values.map((value) => `${value.name} = ${value.number};`);
  return `enum ${desc.name} { ${values.join(" ")} }`;
}

function printMessage(desc) {
  const ranges = desc.proto.extensionRange.map(
    ({ start, end }) => `extensions ${start} to ${end > 536870911 ? "max" : end - 1};`,
  );
  return [
    `message ${desc.name} {`,
    ...desc.nestedEnums.map(printEnum),
    ...desc.nestedMessages.map(printMessage),
    ...desc.members.map((member) =>
      member.kind === "oneof"
        ? `oneof ${member.name} { ${member.fields.map((field) => printField(field)).join(" ")} }`
        : printField(member),
    ),
    ...ranges,
    "}",
  ].join("\n");
}

function printField(desc) {
  if (desc.fieldKind === "map") {
    return `map<${ScalarType[desc.mapKey].toLowerCase()}, ${printType(desc)}> ${desc.name} = ${desc.number};`;
  }
  const label = desc.oneof ? "" : desc.proto.label === Label.REPEATED ? "repeated " : "optional ";
  return `${label}${printType(desc)} ${desc.name} = ${desc.number};`;
}

function printType(desc) {
  if (desc.message) return `.${desc.message.typeName}`;
  if (desc.enum) return `.${desc.enum.typeName}`;
  return ScalarType[desc.scalar].toLowerCase();
}
