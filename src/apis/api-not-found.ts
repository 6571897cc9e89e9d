import { SignetError } from "../errors.ts";

export function apiNotFound(id: string): SignetError {
  const message = "id: no API of the organization has this id";
  return new SignetError("API_NOT_FOUND", message, { metadata: { apiId: id } });
}
