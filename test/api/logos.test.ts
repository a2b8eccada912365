// The addresses of logos in answers lead to logos.
import { expect, it } from "vitest";
import { API_KEY } from "../support/client.ts";
import { startService } from "../support/service.ts";

const PUBLIC_URL = "https://ledgerline.example/base";

it("the logo of an answer is served without a key: the brand's picture, or a tile", async () => {
  const service = await startService({ config: { publicUrl: PUBLIC_URL } });
  const logoOf = async (id: string, description: string): Promise<string> => {
    const response = await fetch(`${service.url}/v3/transactions`, {
      method: "POST",
      headers: { "X-Api-Key": API_KEY, "Content-Type": "application/json" },
      body: JSON.stringify({
        id,
        description,
        date: "2026-11-20",
        amount: 9.99,
        entry_type: "outgoing",
        currency: "USD",
      }),
    });
    const { entities } = (await response.json()) as {
      entities: { counterparty: { logo: string } };
    };
    const { logo } = entities.counterparty;
    expect(logo.startsWith(`${PUBLIC_URL}/logos/`)).toBe(true);
    const picture = await fetch(logo.replace(PUBLIC_URL, service.url));
    expect([picture.status, picture.headers.get("Content-Type")]).toEqual([
      200,
      "image/svg+xml; charset=utf-8",
    ]);
    return picture.text();
  };
  expect(await logoOf("known", "NETFLIX.COM LOS GATOS CA")).toMatch(/<path fill="#E50914" d="/);
  expect(await logoOf("unknown", "SQ *GRANITE PEAK BAKEHOUSE PORTLAND OR")).toContain(">G</text>");
});
