import type { Paper } from './receipt-rows.ts'

/** A receipt as a PDF: what draws it is loaded with the first one. */
export const drawPaper = async (paper: Paper): Promise<Uint8Array> =>
  (await import('./receipt-pdf.ts')).receiptPdf(paper)
