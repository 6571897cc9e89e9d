import { readFileSync, writeSync } from "node:fs";
import { create, createFileRegistry, type DescService, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponse_Feature,
  CodeGeneratorResponseSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";

/**
 * Runs a buf plugin: reads a CodeGeneratorRequest from standard input, and writes a CodeGeneratorResponse to standard
 * output (google/protobuf/compiler/plugin.proto).
 *
 * @param generate Returns the texts of the files by name.
 */
export function runPlugin(generate: (services: readonly DescService[]) => Readonly<Record<string, string>>): void {
  const { protoFile, fileToGenerate } = fromBinary(CodeGeneratorRequestSchema, readFileSync(0));
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: protoFile }));
  const services = [...registry.files]
    .filter(({ proto }) => fileToGenerate.includes(proto.name))
    .flatMap((file) => file.services);
  const response = create(CodeGeneratorResponseSchema, {
    supportedFeatures: BigInt(CodeGeneratorResponse_Feature.PROTO3_OPTIONAL),
    file: Object.entries(generate(services)).map(([name, content]) => ({ name, content })),
  });
  const bytes = toBinary(CodeGeneratorResponseSchema, response);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}
