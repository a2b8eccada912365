import { Readable } from "node:stream";
import type { AuditEntry } from "../../src/model/audit.ts";
import type { CustomModel, ModelQuality } from "../../src/model/custom-model.ts";
import type { EntityDetails } from "../../src/model/entity.ts";
import type { LedgerGroup } from "../../src/model/ledger-group.ts";
import type { Reapplication } from "../../src/model/reapplication.ts";
import type { Report, StoredCorrection } from "../../src/model/report.ts";
import type { HttpDeps } from "../../src/http/http.ts";

// Stages around what organizations set for themselves, for tests of this folder: they answer the same to everything.

/** 2024-05-06T07:08:09.010Z */
const CREATED_AT = 1_714_979_289_010;

const NO_FEATURES = { phone_number: false, tax_number: false, naics2017: false };

const CATEGORY_SET = { incoming: ["Pay"], outgoing: ["Food"] };
const CATEGORY_MAPPING = {
  incoming: { paycheck: "Pay" },
  outgoing: { groceries: "Food", pets: null },
};

const reapplication: Reapplication = {
  id: "a1",
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  status: "running",
  total: 2,
  progress: 1,
  changed: 0,
};

export const ledgerGroup: LedgerGroup = {
  id: "9d0c8a42-2f0b-5d67-8a41-5d8f7f0c3b11",
  startDate: "2024-01-31",
  endDate: "2024-03-31",
  periodicity: "monthly",
  periodDays: 30,
  totalAmount: 37.5,
  averageAmount: 12.5,
  isActive: true,
  next: {
    date: "2024-04-30",
    earliestDate: "2024-04-29",
    latestDate: "2024-05-01",
    amount: 12.5,
    lowestAmount: 11.99,
    highestAmount: 13,
  },
  kind: "subscription",
  isEssential: false,
  confidence: 0.8687,
  incomeType: null,
  entryType: "outgoing",
  counterparty: null,
  categories: null,
  currency: "USD",
  latestAmount: 15.49,
  latestDescription: "NETFLIX.COM",
  transactionIds: ["t1", "t2", "t3"],
};

export const report: Report = {
  org: "acme",
  id: "p1",
  transactionId: "t1",
  description: "It was the other one.",
  fields: ["merchant"],
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  status: "open",
  rejectionReason: null,
  expected: { merchant: "Heron Street", labels: ["books", "rent"] },
  webhookUrl: "https://hooks.example.com/reports",
  accountHolderId: null,
};

export const correction: StoredCorrection = {
  org: "acme",
  id: "c1",
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
  accountHolderId: null,
  cleanName: "BLUE",
  entryType: "outgoing",
  accountType: null,
  parts: { counterparty: null },
};

export const auditEntry: AuditEntry = {
  org: "acme",
  id: "n1",
  createdAt: CREATED_AT,
  action: "webhook.deleted",
  subject: "w1",
  keyId: "k1",
  requestId: "q1",
  details: { host: "example.com" },
};

/** Every organization exists, with the given features; keys have no limits. */
export const fakeAccess: Pick<HttpDeps, "audit" | "organizations" | "limits"> = {
  audit: { list: () => Promise.resolve({ rows: [auditEntry], next: null }) },
  organizations: {
    get: (id) => Promise.resolve({ id, features: NO_FEATURES }),
    setFeatures: (id, changes) => Promise.resolve({ id, features: { ...NO_FEATURES, ...changes } }),
  },
  limits: {
    takeRequest: () => Promise.resolve(null),
    takeCredits: () => Promise.resolve(null),
    giveBackCredits: () => undefined,
    requestLimit: () => null,
    creditLimit: () => null,
  },
};

export const entity: EntityDetails = {
  id: "0b9e9fcc-92b7-3948-976a-94d36d4b9293",
  name: "Acme",
  website: "acme.com",
  phone_number: null,
  tax_number: null,
  naics2017: null,
  logo: null,
  mccs: [5814],
  parent: null,
  location: null,
};

/** Every account holder has this group. */
export const fakeRecurrence: Pick<HttpDeps, "recurrence"> = {
  recurrence: {
    groups: () =>
      Promise.resolve({ ok: true, groups: [ledgerGroup], income: [], corrected: new Map() }),
  },
};

const customModel: CustomModel = {
  org: "org-a",
  name: "expenses",
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  accountHolderType: "business",
  status: "ready",
  progress: 100,
  error: null,
  training: 1,
  trainingId: "t",
  threshold: 0.2,
  versions: [
    { version: 1, createdAt: CREATED_AT, items: 2, labels: 2, accuracy: null, threshold: 0.2 },
  ],
};

const modelQuality: ModelQuality = {
  items: 10,
  heldOut: 2,
  accuracy: 0.5,
  macroF1: 0.25,
  answered: 1,
  accuracyOfAnswered: 0.5,
  labels: [{ label: "fuel", items: 5, heldOut: 1, precision: 0.5, recall: null }],
  confusions: [{ label: "fuel", answer: "stationery", items: 1 }],
};

export const fakeSettings: Pick<
  HttpDeps,
  "reapplications" | "reports" | "rules" | "categories" | "entities" | "models"
> = {
  models: {
    train: ({ org, name, id, threshold }) =>
      Promise.resolve({ ...customModel, org, name, trainingId: id, threshold }),
    list: () => Promise.resolve([customModel]),
    get: () => Promise.resolve({ model: customModel, quality: modelQuality }),
    remove: () => Promise.resolve(true),
    isReady: (_org, name) => Promise.resolve(name === customModel.name),
  },
  entities: {
    get: (_org, id) => Promise.resolve({ ...entity, id }),
    resolve: (_org, { name, website }) =>
      Promise.resolve({ ...entity, name: name ?? entity.name, website }),
  },
  reports: {
    create: (org, input, id) => Promise.resolve({ ...report, ...input, org, id }),
    list: () => Promise.resolve({ rows: [report], next: null }),
    page: () => Promise.resolve({ pages: 1, parts: Readable.from([[report]]) }),
    get: (_org, id) => Promise.resolve({ ...report, id }),
    delete: () => Promise.resolve(true),
    listAll: () => Promise.resolve({ rows: [report], next: null }),
    details: (id) => Promise.resolve({ report: { ...report, id }, transaction: null }),
    move: (id, { status }) =>
      Promise.resolve({ ok: true, report: { ...report, id, status }, corrected: null }),
    corrections: () => Promise.resolve({ rows: [correction], next: null }),
    dropCorrection: () => Promise.resolve(true),
  },
  rules: {
    list: () => Promise.resolve([{ add_label: "rent" }]),
    append: () => Promise.resolve({ ok: true, id: 1 }),
    replace: () => Promise.resolve({ ok: true, id: 0 }),
    change: (_org, id) => Promise.resolve({ ok: true, id }),
    remove: (_org, id) => Promise.resolve({ ok: true, id }),
  },
  categories: {
    get: () => Promise.resolve(CATEGORY_SET),
    replace: (_org, _id, set) => Promise.resolve({ ok: true, set }),
    reset: () => Promise.resolve({ ok: true, set: null }),
    mapping: () => Promise.resolve(CATEGORY_MAPPING),
    patchMapping: () => Promise.resolve({ ok: true, mapping: CATEGORY_MAPPING }),
  },
  reapplications: {
    begin: () => Promise.resolve(reapplication),
    get: () => Promise.resolve(reapplication),
    list: () => Promise.resolve({ rows: [reapplication], next: null }),
  },
};
