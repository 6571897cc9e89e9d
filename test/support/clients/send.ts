import { request as sendRequest } from "node:http";

/** A REST response; `body` is parsed if it is JSON. */
export interface TestResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is in it
  readonly body: any;
}

/** Sends one request over a new connection. Rejects if the response is not complete. */
export function send(
  origin: string,
  method: string,
  path: string,
  { token, body, headers = {} }: { token?: string; body?: object; headers?: Record<string, string> } = {},
): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(new URL(path, origin), {
      method,
      agent: false,
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    request.once("error", reject).once("response", (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (part) => {
          text += part;
        })
        .once("error", reject)
        .once("end", () => resolve({ status: response.statusCode ?? 0, body: parse(text) }));
    });
    request.end(body && JSON.stringify(body));
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const IMPORT_PATH = "/management/v1/users/human/_import";

/** A human user to import, with a verified email address. */
export function human(userName: string, email = "ada@example.com"): Record<string, unknown> {
  return {
    userName,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email, isEmailVerified: true },
  };
}
