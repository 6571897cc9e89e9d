/** A buf plugin that generates `openapi.json`. */
import { runPlugin } from "../buf-plugin.ts";
import { createDocument } from "./create-document.ts";

runPlugin((services) => ({ "openapi.json": `${JSON.stringify(createDocument(services), null, 1)}\n` }));
