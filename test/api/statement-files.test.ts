// What people upload as bank statements: other documents have the documented error in both versions, pictures of telephones are read
// as they are seen, and the rows of statements are found again in what is made of a ledger.
import { strToU8, zipSync } from "fflate";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { answered, API_KEY } from "../support/client.ts";
import { makePdf, type PdfText } from "../support/pdf.ts";
import { until } from "../support/poll.ts";
import { scanPage } from "../support/scans.ts";
import { shared, startService } from "../support/service.ts";
import { formOf, statementFile } from "../support/statement-files.ts";
import { submitStatement } from "../support/things.ts";

type Json = Readonly<Record<string, unknown>>;

const isDistributed = process.env["TEST_ENGINE"] === "distributed";

/** On the real services, the API, the reading of documents and the enrichment are in processes of their own. */
const setUp = shared(async (atEnd) => {
  if (!isDistributed) return startService({}, atEnd);
  const first = await startService({ config: { role: "ingest" } }, atEnd);
  const { dataFolder } = first;
  for (const role of ["statements", "enrich"] as const)
    await startService({ config: { role, dataFolder } }, atEnd);
  return first;
});

const get = async <Body = Json>(path: string): Promise<Body> =>
  answered(await setUp().client.call<Body>("GET", path), 200);

const submit = (bytes: Uint8Array, fields = {}): Promise<string> =>
  submitStatement(setUp().url, API_KEY, { name: "file", bytes }, fields);

/** The document in v3, when it has ended. */
const ended = (id: string): Promise<Json> =>
  until(`the end of ${id}`, async () => {
    const found = await get(`/v3/bank_statements/${id}`);
    return found["status"] === "processing" ? null : found;
  });

const row = (y: number, ...texts: readonly string[]): readonly PdfText[] =>
  texts.map((text, at) => ({ text, x: [40, 120, 360, 420, 480][at] ?? 0, y }));

const ONE_LINE_INVOICE = makePdf([row(800, "Invoice 7781 of 2026-01-02, total 45.00 due")]);

const INVOICE = makePdf([
  [
    ...row(800, "Harbour Software Ltd, 1 Quay Street, Bristol"),
    ...row(770, "INVOICE INV-7781"),
    ...row(755, "Invoice date: 15 January 2026"),
    ...row(740, "Due date: 14 February 2026"),
    ...row(700, "Item", "Description", "Quantity", "Price", "Amount"),
    ...row(680, "1", "Consulting, January", "12", "90.00", "1,080.00"),
    ...row(660, "2", "Hosting, first quarter", "3", "25.00", "75.00"),
    ...row(630, "", "Subtotal", "", "", "1,155.00"),
    ...row(615, "", "VAT 20 %", "", "", "231.00"),
    ...row(600, "", "Total due", "", "", "GBP 1,386.00"),
    ...row(560, "Please pay to sort code 20-00-00, account 12345678"),
  ],
]);

/** A cat on a sofa, as the reader sees it: soft light and dark, and fur. */
async function catPhoto(): Promise<Uint8Array> {
  const [width, height] = [1_200, 1_600];
  const cat = `<svg width="${String(width)}" height="${String(height)}"><rect width="100%" height="100%" fill="#7a6a58"/>
    <ellipse cx="600" cy="1050" rx="330" ry="420" fill="#c98a4b"/><circle cx="600" cy="560" r="230" fill="#d29a5c"/>
    <path d="M400 420 L430 200 L560 360 Z M800 420 L770 200 L640 360 Z" fill="#b97a3c"/>
    <circle cx="520" cy="540" r="38" fill="#243"/><circle cx="680" cy="540" r="38" fill="#243"/>
    <path d="M600 620 l-30 40 h60 Z" fill="#d77"/></svg>`;
  const fur = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const noise = await sharp({
    create: { width, height, channels: 3, background: "#888", noise: fur },
  })
    .blur(2)
    .png()
    .toBuffer();
  const photo = sharp(Buffer.from(cat))
    .composite([{ input: noise, blend: "soft-light" }])
    .jpeg({ quality: 85 });
  return new Uint8Array(await photo.toBuffer());
}

const DOCX = zipSync({
  "[Content_Types].xml": strToU8(
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  ),
  "word/document.xml": strToU8(
    '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Opening balance 100.00</w:t></w:r></w:p></w:body></w:document>',
  ),
});

/** The boxes at the beginning of a HEIC file: its type, then what it holds. */
const HEIC = Buffer.concat([
  Buffer.from("\0\0\0\u0018ftypheic\0\0\0\0mif1heic", "latin1"),
  Buffer.from("\0\0\0\u0021meta\0\0\0\0\0\0\0\u0015hdlr\0\0\0\0\0\0\0\0pict", "latin1"),
  Buffer.alloc(10_000, 7),
]);

const UPLOADS = ["/v3/bank_statements", "/datasources/bank_statements"];

describe("a file that is not a statement", () => {
  it.each(
    UPLOADS.flatMap((path) => [
      { path, name: "DOCX", bytes: DOCX },
      { path, name: "HEIC", bytes: HEIC },
    ]),
  )(
    "$name to $path: refused for its type, and no document is made",
    async ({ path, name, bytes }) => {
      const before = await get<{ readonly data: readonly Json[] }>("/v3/bank_statements");
      const response = await fetch(`${setUp().url}${path}`, {
        method: "POST",
        headers: { "X-Api-Key": API_KEY },
        body: formOf({ name, bytes }),
      });
      expect(response.status).toBe(415);
      expect(await response.json()).toMatchObject({ code: "unsupported_file_type" });
      expect(await get("/v3/bank_statements")).toEqual(before);
    },
  );

  it.each([
    {
      name: "an invoice of one line",
      make: () => Promise.resolve(ONE_LINE_INVOICE),
      faults: ["no_transactions"],
    },
    { name: "a photo of a cat", make: catPhoto, faults: ["no_text", "no_transactions"] },
  ])("$name ends with the documented error in v3 and v2", async ({ make, faults }) => {
    const id = await submit(await make());
    const statement = await ended(id);
    expect(statement).toMatchObject({
      status: "error",
      error: { code: "invalid_bank_statement", message: expect.any(String) as string },
    });
    expect(faults).toContain((statement["error"] as Json)["fault"]);
    expect(await get(`/datasources/bank_statements/${id}`)).toMatchObject({
      ...{ status: "failed", error_code: 301, statements: null },
    });
    const { client } = setUp();
    for (const path of [`/v3/bank_statements/${id}/results`, `/v3/bank_statements/${id}/evidence`])
      expect(await client.call("GET", path)).toMatchObject({
        ...{ status: 404, body: { code: "statement_not_completed" } },
      });
    expect(await client.call("POST", `/v3/bank_statements/${id}/verify`)).toMatchObject({
      ...{ status: 400, body: { code: "unreadable_statement" } },
    });
  });
});

it("an invoice with items is an error, or an account that is not called right in v3 and v2", async () => {
  const id = await submit(INVOICE);
  const { status } = await ended(id);
  const v2 = await get(`/datasources/bank_statements/${id}`);
  if (status === "error") {
    expect(v2).toMatchObject({ status: "failed", error_code: 301 });
    return;
  }
  const { accounts } = await get<{ accounts: readonly Json[] }>(
    `/v3/bank_statements/${id}/results`,
  );
  expect(accounts).toMatchObject([{ verdict: "not_checkable", is_balance_reconciled: null }]);
  expect(v2).toMatchObject({ statements: [{ is_balance_reconciled: null }] });
});

it("a picture whose file names its orientation (EXIF) is read, and its boxes are those of the page as it is seen", async () => {
  const upright = await scanPage(statementFile("photo").bytes, 1, {});
  // As a telephone stores it that was held upright: on its side, with a note to turn it.
  const lying = sharp(upright.bytes).rotate(270).withMetadata({ orientation: 6 }).jpeg();
  const id = await submit(new Uint8Array(await lying.toBuffer()));
  expect(await ended(id)).toMatchObject({ status: "completed", file: { no_pages: 1 } });
  const { accounts } = await get<{ accounts: readonly Json[] }>(
    `/v3/bank_statements/${id}/results`,
  );
  expect(accounts).toMatchObject([
    {
      ...{ number: "1234-5678", opening_balance: 100, closing_balance: 145 },
      verdict: "reconciled",
      transactions: [
        { date: "2026-01-02", amount: 5, entry_type: "outgoing", running_balance: 95 },
        { date: "2026-01-05", amount: 50, entry_type: "incoming", running_balance: 145 },
      ],
    },
  ]);
  interface Row {
    readonly amount: { readonly box: readonly [number, number, number, number] };
    readonly balance: Row["amount"];
  }
  const path = `/v3/bank_statements/${id}/evidence`;
  const { transactions } = await get<{ readonly transactions: readonly Row[] }>(path);
  expect(transactions).toHaveLength(2);
  for (const { amount, balance } of transactions) {
    const [, top, right, bottom] = amount.box;
    const [left, otherTop, end, otherBottom] = balance.box;
    expect(left).toBeGreaterThan(right);
    expect(otherTop).toBeLessThan(bottom);
    expect(otherBottom).toBeGreaterThan(top);
    expect(end).toBeLessThanOrEqual(upright.width);
    expect(bottom).toBeLessThanOrEqual(upright.height);
  }
});

/** Half a year of an account with a rent, a salary, and a purchase that comes once. */
function halfYear(): Uint8Array {
  let balance = 1_000;
  const rows = [1, 2, 3, 4, 5, 6].flatMap((month) => {
    const day = (of: number) => `2026-0${String(month)}-${String(of).padStart(2, "0")}`;
    return [
      { date: day(5), text: "RENT PAYMENT OAKWOOD APARTMENTS", amount: -950 },
      ...(month === 3 ? [{ date: day(11), text: "FOOT LOCKER 4471 OAKLAND CA", amount: -89 }] : []),
      { date: day(28), text: "ACME CORP PAYROLL DIRECT DEP", amount: 1_200 },
    ];
  });
  const lines = rows.map(({ date, text, amount }, at) => {
    balance += amount;
    return row(700 - at * 20, date, text, `${String(amount)}.00`, `${String(balance)}.00`);
  });
  return makePdf([
    [
      ...row(800, "Account number: 1234-5678"),
      ...row(785, "Statement period: 1 January 2026 to 30 June 2026"),
      ...row(770, "Opening balance: USD 1000.00"),
      ...row(740, "Date", "Description", "Amount", "Balance"),
      ...lines.flat(),
      ...row(400, `Closing balance: USD ${String(balance)}.00`),
    ],
  ]);
}

it("rows of an uploaded statement are found as recurring groups of its account holder, and the single one is not", async () => {
  const { client } = setUp();
  answered(await client.createHolder("tenant", "consumer"), 200);
  const id = await submit(halfYear(), { account_holder_id: "tenant" });
  expect(await ended(id)).toMatchObject({ status: "completed" });
  const { accounts } = await get<{
    readonly accounts: readonly {
      readonly verdict: string;
      readonly transactions: readonly { readonly id: string; readonly amount: number }[];
    }[];
  }>(`/v3/bank_statements/${id}/results`);
  expect(accounts).toMatchObject([{ verdict: "reconciled" }]);
  const rows = accounts[0]?.transactions ?? [];
  expect(rows).toHaveLength(13);
  const idsOf = (amount: number) =>
    rows.filter((one) => one.amount === amount).map((one) => one.id);
  const groups = await until("the enriched transactions", async () => {
    const path = "/v3/account_holders/tenant/recurring_groups";
    const answer = await client.call<readonly { readonly transaction_ids: readonly string[] }[]>(
      ...(["POST", path] as const),
    );
    const found = answered(answer, 200).map((group) => [...group.transaction_ids].sort());
    return found.flat().length < 12 ? null : found;
  });
  expect(groups).toHaveLength(2);
  expect(groups).toContainEqual(idsOf(950).sort());
  expect(groups).toContainEqual(idsOf(1_200).sort());
});
