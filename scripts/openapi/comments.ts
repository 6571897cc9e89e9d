import type {
  DescEnum,
  DescEnumValue,
  DescField,
  DescFile,
  DescMessage,
  DescMethod,
  DescService,
} from "@bufbuild/protobuf";
import { getComments } from "@bufbuild/protoplugin";
import { EXTERNAL_ID } from "../../src/moving/converting/to-request.ts";

type Desc = DescEnum | DescEnumValue | DescField | DescMessage | DescMethod | DescService;

/** Names of fields that comments mention as values: a key of metadata, and metadata of OpenID Connect. */
const VALUES: ReadonlySet<string> = new Set([EXTERNAL_ID, "email_verified", "token_endpoint"]);

/** Paragraphs of the comment before a declaration. Names of fields in backticks become JSON names; values remain. */
export function paragraphsOf(desc: Desc): string[] {
  const fields = fieldsIn(fileOf(desc));
  const lines = (getComments(desc).leading ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !line.startsWith("buf:lint:"));
  return lines
    .join("\n")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\n/g, " ").trim())
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) =>
      paragraph.replace(/`(\w+)`/g, (word, name: string) => {
        const jsonName = VALUES.has(name) ? undefined : fields.get(name);
        return jsonName === undefined ? word : `\`${jsonName}\``;
      }),
    );
}

/** The comment before a declaration as Markdown. */
export function descriptionOf(desc: Desc): string {
  return paragraphsOf(desc).join("\n\n");
}

function fileOf(desc: Desc): DescFile {
  switch (desc.kind) {
    case "enum_value":
    case "field":
    case "rpc":
      return desc.parent.file;
    default:
      return desc.file;
  }
}

const found = new WeakMap<DescFile, ReadonlyMap<string, string>>();

/** The JSON names of the fields in a file and its imports, by name. */
function fieldsIn(file: DescFile): ReadonlyMap<string, string> {
  const known = found.get(file);
  if (known !== undefined) return known;
  const fields = new Map(file.dependencies.flatMap((imported) => [...fieldsIn(imported)]));
  const add = (message: DescMessage) => {
    for (const { name, jsonName } of message.fields) fields.set(name, jsonName);
    message.nestedMessages.forEach(add);
  };
  file.messages.forEach(add);
  found.set(file, fields);
  return fields;
}
