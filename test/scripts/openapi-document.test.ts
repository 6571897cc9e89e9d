import { readFileSync } from "node:fs";
import { toAggregateType } from "../../src/events/aggregate-types.ts";
import { EVENT_TEXTS } from "../../src/events/catalogue.ts";
import { EXTERNAL_ID } from "../../src/moving/converting/to-request.ts";
import { AUTH_METHODS } from "../../src/oidc/client-metadata.ts";
import { GRANT_TYPES } from "../../src/rpc/app-enums.ts";

interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties: Record<string, Schema>;
  readonly enum: string[];
}

const text = readFileSync("gen/openapi.json", "utf8");
const { paths, components } = JSON.parse(text) as {
  paths: Record<string, Record<string, { parameters?: { in: string; name: string }[]; requestBody?: unknown }>>;
  components: { schemas: Record<string, Schema>; examples: Record<string, unknown> };
};
const { schemas } = components;

test("no two paths differ only in the names of their parameters, and each has its parameters", () => {
  const shapes = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, "{}"));
  expect(new Set(shapes).size).toBe(shapes.length);
  for (const [path, operations] of Object.entries(paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      const names = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => `{${name}}`);
      expect(path.match(/\{\w+\}/g) ?? []).toEqual(names);
    }
  }
});

test("every example is used", () => {
  for (const name of Object.keys(components.examples)) expect(text).toContain(`"#/components/examples/${name}"`);
});

test("every request body and every response has an example", () => {
  interface Content {
    readonly content?: Record<string, { readonly example?: unknown; readonly examples?: unknown }>;
  }
  const hasExample = ({ content = {} }: Content) =>
    Object.values(content).every(({ example, examples }) => example !== undefined || examples !== undefined);
  const operations = Object.values(paths).flatMap(
    (methods) =>
      Object.values(methods) as unknown as {
        operationId: string;
        requestBody?: Content;
        responses: Record<string, Content>;
      }[],
  );
  expect(operations.length).toBeGreaterThan(200);
  const without = operations.filter(
    ({ requestBody = {}, responses }) => !hasExample(requestBody) || !hasExample(responses[200] ?? {}),
  );
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

test("responses have no oneOf, which generators of clients turn into empty types", () => {
  for (const name of ["User", "App", "IDP"]) {
    expect(Object.keys(schemas[name]?.properties ?? {}).length).toBeGreaterThan(4);
    expect(schemas[name]).not.toHaveProperty("allOf");
    expect(schemas[name]).not.toHaveProperty("oneOf");
  }
});

test("values that the service rejects are not in the document, and one that means the default is", () => {
  const enums = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schema.enum]));
  expect(enums).toMatchObject({
    OIDCResponseType: ["OIDC_RESPONSE_TYPE_CODE"],
    UserState: expect.not.arrayContaining(["USER_STATE_UNSPECIFIED"]),
    "TypeQuery.Type": ["TYPE_HUMAN", "TYPE_MACHINE"],
    IDPOwnerType: ["IDP_OWNER_TYPE_SYSTEM", "IDP_OWNER_TYPE_ORG"],
    Gender: expect.arrayContaining(["GENDER_UNSPECIFIED"]),
  });
  for (const type of ["OIDC_GRANT_TYPE_IMPLICIT", "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"]) {
    expect(enums.OIDCGrantType).not.toContain(type);
  }
});

test("the rules that only code checks are in the document", () => {
  const properties = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schema.properties]));
  expect(properties).toMatchObject({
    SetHumanPasswordRequestBody: { password: { minLength: 1, maxLength: 72 } },
    ImportHumanUserRequest: { userName: { minLength: 1, maxLength: 500 } },
    "ImportHumanUserRequest.HashedPassword": { value: { maxLength: 512 } },
    "ImportHumanUserRequest.Email": { email: { format: "idn-email" } },
    AddOIDCIDPRequest: { issuer: { format: "uri", maxLength: 200 } },
    AddOrgMemberRequest: { roles: { items: { enum: expect.arrayContaining(["ORG_OWNER"]) } } },
    ListQuery: { offset: { pattern: "^(?:[0-9]{1,4}|10000)$" } },
  });
});

test("each condition of a list is exactly one", () => {
  const one = { minProperties: 1, maxProperties: 1 };
  const names = ["SearchQuery", "OrgQuery", "AppQuery", "IDPQuery", "OrgIDPQuery", "MemberQuery"];
  expect(schemas).toMatchObject(Object.fromEntries(names.map((name) => [name, one])));
});

test("words in backticks are values and fields as the service accepts them", () => {
  const words = new Set(
    [...text.matchAll(/`([a-z]+(?:_[a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+)`/g)].map(([, word = ""]) => word),
  );
  const fields = Object.values(schemas).flatMap(({ properties = {} }) => Object.keys(properties));
  // Claims and parameters of OpenID Connect Core, metadata of OpenID Connect Discovery, and parameters of RFC 7636.
  const ofOpenId = [
    ...["preferred_username", "email_verified", "auth_time", "max_age"],
    ...["token_endpoint", "code_challenge", "code_verifier"],
  ];
  const values = [
    ...GRANT_TYPES.values(),
    ...Object.values(AUTH_METHODS),
    ...Object.keys(EVENT_TEXTS).map(toAggregateType),
    ...ofOpenId,
    EXTERNAL_ID,
  ];
  expect([...words].filter((word) => ![...fields, ...values].includes(word))).toEqual([]);
  expect([...words]).toEqual(expect.arrayContaining([...ofOpenId, EXTERNAL_ID, "label_policy", "nextPageToken"]));
  for (const value of GRANT_TYPES.values()) expect(schemas.OIDCGrantType?.description).toContain(`\`${value}\``);
  for (const value of Object.values(AUTH_METHODS)) {
    expect(schemas.OIDCAuthMethodType?.description).toContain(`\`${value}\``);
  }
});

test("the import has every conflict that it can fail with", () => {
  const operation = paths["/management/v1/users/human/_import"]?.post;
  expect(operation).toMatchObject({
    responses: {
      409: {
        description:
          "`USER_NAME_TAKEN`, `EMAIL_TAKEN`, `PHONE_TAKEN`, `IDP_LINK_TAKEN`, `EXTERNAL_ID_TAKEN`, `SUBJECT_TAKEN`, `PASSKEY_TAKEN`, `ABORTED`",
      },
    },
  });
});
