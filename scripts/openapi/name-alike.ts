import type { JsonObject } from "@bufbuild/protobuf";
import type { Route } from "./create-operation.ts";

/**
 * Gives paths that differ only in the names of their parameters, such as `/idps/{id}` and `/idps/{idpId}`, the same names:
 * the longest ones. OpenAPI treats such paths as identical.
 */
export function nameAlike(routes: readonly Route[]): Route[] {
  const paths = new Map<string, string>();
  for (const { path } of routes) {
    const shape = shapeOf(path);
    if (path.length > (paths.get(shape)?.length ?? 0)) paths.set(shape, path);
  }
  return routes.map((route) => {
    const path = paths.get(shapeOf(route.path)) ?? route.path;
    return path === route.path ? route : { ...route, path, operation: rename(route, path) };
  });
}

const PARAMETER = /\{(\w+)\}/g;

function shapeOf(path: string): string {
  return path.replace(PARAMETER, "{}");
}

function namesIn(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name = ""]) => name);
}

function rename({ path, operation }: Route, newPath: string): JsonObject {
  const [names, newNames] = [namesIn(path), namesIn(newPath)];
  const parameters = (operation.parameters as JsonObject[]).map((parameter) =>
    parameter.in === "path" ? { ...parameter, name: newNames[names.indexOf(String(parameter.name))] ?? "" } : parameter,
  );
  return { ...operation, parameters };
}
