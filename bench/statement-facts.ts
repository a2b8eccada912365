// The facts of a PDF file for measurements: opens the document next to the reader of words.
import { init } from "@embedpdf/pdfium";
import type { DocumentFacts } from "../workers/statements/document-facts.ts";
import { readPdfFacts } from "../workers/statements/pdf-facts.ts";

/** null: the file cannot be opened. */
export async function factsOfPdf(bytes: Uint8Array): Promise<DocumentFacts | null> {
  const pdfium = await init({});
  pdfium.PDFiumExt_Init();
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const pointer = malloc(bytes.length);
  (pdfium.pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8.set(bytes, pointer);
  const document = pdfium.FPDF_LoadMemDocument(pointer, bytes.length, "");
  try {
    return document === 0 ? null : readPdfFacts(pdfium, document, bytes);
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document);
    free(pointer);
  }
}
