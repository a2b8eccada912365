import { z } from "zod";
import { anyText, instant } from "./schemas.ts";

// Bank statements, like `schemas.ts`.

const bankStatementStatus = z
  .enum(["processing", "completed", "error"])
  .openapi("BankStatementStatus");

export const bankStatement = z
  .object({
    id: z.string(),
    name: anyText,
    status: bankStatementStatus,
    created_at: instant,
    file: z.object({ no_pages: z.int(), size: z.int().nullable() }).openapi("BankStatementFile"),
    error: z
      .object({
        code: z
          .enum(["invalid_bank_statement", "internal_error"])
          .openapi("BankStatementErrorCode"),
        message: z.string(),
      })
      .openapi("BankStatementError")
      .nullable(),
  })
  .openapi("BankStatement");
