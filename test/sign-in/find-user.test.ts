import { ProviderError } from "../../src/idps/discover-provider.ts";
import { findUser } from "../../src/sign-in/provider/read-user.ts";

const find = (json: string, path: string) => findUser(JSON.parse(json), path);

test.each([
  ["a text", '{"id":"1"}', "id", "1"],
  ["a whole number", '{"id":9007199254740991}', "id", "9007199254740991"],
  ["a member of a member", '{"data":{"id":"1"}}', "data.id", "1"],
  ["a member at any depth", '{"a":{"b":{"c":7}}}', "a.b.c", "7"],
  ["a name with a dot, before the member of a member", '{"data.id":"1","data":{"id":"2"}}', "data.id", "1"],
  ["a URL", '{"https://example.com/id":"1"}', "https://example.com/id", "1"],
  ["a member of the response with the name of an inherited one", '{"constructor":"1"}', "constructor", "1"],
])("the id can be %s", (_, json, path, id) => {
  expect(find(json, path).id).toBe(id);
});

test("the other data about the user are beside the id", () => {
  const json = '{"name":"Not Grace","email_verified":true,"data":{"id":"1","name":"Grace"}}';
  expect(find(json, "data.id").user).toEqual({ id: "1", name: "Grace" });
  expect(find('{"id":"1","name":"Grace"}', "id").user).toEqual({ id: "1", name: "Grace" });
});

test.each([
  ["missing", '{"data":{}}', "data.id"],
  ["in no object", '{"data":"id"}', "data.id"],
  ["in null", '{"data":null}', "data.id"],
  ["in an array", '{"data":["id"]}', "data.0"],
  ["the length of an array", '{"data":["id"]}', "data.length"],
  ["the length of a text", '{"data":"four"}', "data.length"],
  ["an object", '{"data":{"id":"1"}}', "data"],
  ["a number beyond 2^53", '{"data":{"id":9007199254740993}}', "data.id"],
  ["a fraction", '{"data":{"id":1.5}}', "data.id"],
  ["inherited by all objects", '{"data":{}}', "data.constructor.name"],
  ["inherited by the response", "{}", "constructor.name"],
  ["a part of the prototype", "{}", "__proto__.constructor.name"],
  ["after a dot that nothing precedes", '{"id":"1"}', ".id"],
  ["before a dot that nothing follows", '{"id":"1"}', "id."],
])("an id that is %s is refused, and the error names the member", (_, json, path) => {
  expect(() => find(json, path)).toThrow(
    new ProviderError(`${path} in the response of the user endpoint is neither a text nor a whole number`),
  );
});
