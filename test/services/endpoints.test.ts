import { expect, it } from "vitest";
import { readEndpoints, toEnvironment } from "./endpoints.ts";

const endpoints = {
  kafkaBrokers: "127.0.0.1:1,127.0.0.1:2",
  schemaRegistryUrl: "http://127.0.0.1:3",
  mongodbUrl: "mongodb://127.0.0.1:4/?replicaSet=rs0",
};

it("takes from the environment what it puts there, and nothing when nothing is set", () => {
  expect(readEndpoints(toEnvironment(endpoints))).toEqual(endpoints);
  expect(readEndpoints({ TEST_MONGODB_URL: "" })).toBeNull();
});

it("refuses an environment that names only some of the services, and says which are missing", () => {
  expect(() => readEndpoints({ TEST_MONGODB_URL: endpoints.mongodbUrl })).toThrow(
    /missing: TEST_KAFKA_BROKERS, TEST_SCHEMA_REGISTRY_URL$/,
  );
});
