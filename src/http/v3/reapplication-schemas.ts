import { z } from "zod";
import { instant, nextCursor } from "./schemas.ts";

export const reapplication = z
  .object({
    id: z.string(),
    created_at: instant,
    updated_at: instant,
    status: z.enum(["running", "completed"]),
    total: z.int().openapi({ description: "Transactions that were stored when it began." }),
    progress: z.int().openapi({ description: "Transactions that were processed." }),
    changed: z.int().openapi({ description: "Transactions whose result has changed." }),
  })
  .openapi("Reapplication");

export const reapplicationPage = z
  .object({ next_cursor: nextCursor, data: z.array(reapplication) })
  .openapi("ReapplicationPage");
