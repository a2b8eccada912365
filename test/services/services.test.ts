import { expect, it } from "vitest";
import { toEnvironment } from "./endpoints.ts";
import { resolveServices } from "./services.ts";

const endpoints = {
  kafkaBrokers: "127.0.0.1:1",
  schemaRegistryUrl: "http://127.0.0.1:2",
  mongodbUrl: "mongodb://127.0.0.1:3/?replicaSet=rs0",
};
const services = { ...endpoints, stop: () => Promise.resolve() };

type Way = "containers" | "native";

/** A machine on which these ways work; keeps which were tried. */
function machine(...works: readonly Way[]) {
  const tried: Way[] = [];
  const attempt = (way: Way): boolean => {
    tried.push(way);
    return works.includes(way);
  };
  return {
    tried,
    ways: {
      startContainers: () =>
        Promise.resolve(
          attempt("containers")
            ? ({ kind: "started", services } as const)
            : ({ kind: "unavailable", reason: "no engine" } as const),
        ),
      startNative: () =>
        attempt("native") ? Promise.resolve(services) : Promise.reject(new Error("no Java")),
    },
  };
}

it("services that the environment names are used, and nothing is started", async () => {
  const { tried, ways } = machine("containers", "native");
  const found = await resolveServices(toEnvironment(endpoints), ways);
  expect(found).toMatchObject({ ...endpoints, how: "environment" });
  expect(tried).toEqual([]);
});

it.each<[readonly Way[], Way, readonly Way[]]>([
  [["containers", "native"], "containers", ["containers"]],
  [["native"], "native", ["containers", "native"]],
])("where %j can be had, %s it is", async (works, how, order) => {
  const { tried, ways } = machine(...works);
  expect(await resolveServices({}, ways)).toMatchObject({ ...endpoints, how });
  expect(tried).toEqual(order);
});

it("where there is no way it fails, and says what each of them lacks", async () => {
  const { ways } = machine();
  await expect(resolveServices({}, ways)).rejects.toThrow(
    /TEST_KAFKA_BROKERS.*Containers: no engine\. Native processes: no Java/,
  );
});
