import { workos } from "../../../src/moving/sources/workos.ts";
import { readUser } from "./read.ts";

/** After the response of `GET /user_management/users`. */
const USER = {
  object: "user",
  id: "user_01E4ZCR3C56J083X43JQXF3JK5",
  email: "ada@example.com",
  first_name: "Ada",
  last_name: "Lovelace",
  email_verified: true,
  profile_picture_url: "https://workoscdn.com/images/v1/1",
  last_sign_in_at: "2021-06-25T19:07:33.155Z",
  locale: "en-US",
  external_id: "customer-17",
  metadata: { plan: "pro" },
  created_at: "2021-06-25T19:07:33.155Z",
};

test("a user of the API", () => {
  expect(readUser(workos, USER)).toEqual({
    sourceId: "user_01E4ZCR3C56J083X43JQXF3JK5",
    firstName: "Ada",
    lastName: "Lovelace",
    language: "en-US",
    email: "ada@example.com",
    emailVerified: true,
    metadata: { workos_external_id: "customer-17", "metadata.plan": "pro" },
    lost: ["password: WorkOS gives no hashes", "picture"],
  });
});

test("a row of a CSV, and identities that were added to a user", () => {
  const row = {
    id: "user_1",
    email: "a@example.com",
    email_verified: "false",
    first_name: "",
    metadata: '{"plan":"pro"}',
  };
  const identities = [{ idp_id: "1098", type: "OAuth", provider: "GoogleOAuth" }];
  expect(readUser(workos, { ...row, identities })).toEqual({
    sourceId: "user_1",
    email: "a@example.com",
    emailVerified: false,
    metadata: { "metadata.plan": "pro" },
    links: [{ provider: "GoogleOAuth", externalUserId: "1098" }],
    lost: ["password: WorkOS gives no hashes"],
  });
});
