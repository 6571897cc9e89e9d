/**
 * A buf plugin that generates `openapi.json`: reads a CodeGeneratorRequest from standard input, writes a
 * CodeGeneratorResponse to standard output (google/protobuf/compiler/plugin.proto).
 */
import { readFileSync, writeSync } from "node:fs";
import { create, createFileRegistry, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponse_Feature,
  CodeGeneratorResponseSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { createDocument } from "./create-document.ts";

const { protoFile, fileToGenerate } = fromBinary(CodeGeneratorRequestSchema, readFileSync(0));
const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: protoFile }));
const services = [...registry.files]
  .filter(({ proto }) => fileToGenerate.includes(proto.name))
  .flatMap((file) => file.services);
const content = `${JSON.stringify(createDocument(services), null, 1)}\n`;
const response = create(CodeGeneratorResponseSchema, {
  supportedFeatures: BigInt(CodeGeneratorResponse_Feature.PROTO3_OPTIONAL),
  file: [{ name: "openapi.json", content }],
});
const bytes = toBinary(CodeGeneratorResponseSchema, response);
for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
