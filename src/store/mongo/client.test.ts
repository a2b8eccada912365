import { describe, expect, it } from "vitest";
import { createClient, databaseOf } from "./client.ts";

describe("the URL of MongoDB", () => {
  it.each([
    ["mongodb://m", "ledgerline"],
    ["mongodb://m1:27017,m2:27017/?replicaSet=rs0", "ledgerline"],
    ["mongodb://m?tls=true&tlsCAFile=/etc/ca.pem", "ledgerline"],
    ["mongodb://user:p%2Fw@m1,m2/accounts?replicaSet=rs0", "accounts"],
    ["mongodb+srv://m.example/my%20data", "my data"],
  ])("%s names the database %s", (url, database) => {
    expect(databaseOf(url)).toBe(database);
  });

  it("may name servers and who one is, and not how safely things are written", () => {
    const client = createClient(
      "mongodb://m/?replicaSet=rs0&w=0&journal=false&readPreference=nearest",
    );
    expect(client.options.writeConcern).toMatchObject({ w: "majority", journal: true });
    expect(client.options.readPreference.mode).toBe("primary");
    expect(client.options.replicaSet).toBe("rs0");
  });
});
