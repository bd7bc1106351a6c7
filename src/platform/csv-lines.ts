/** A spreadsheet would compute a cell that begins so. */
const isFormula = /^[=+\-@\t\r]/

/** A cell of text: one that a spreadsheet would compute has a quote before it. */
export const csvCell = (cell: string): string => {
  const harmless = isFormula.test(cell) ? `'${cell}` : cell
  return /[",;\r\n\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A row of a file. */
export const csvLine = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`

/** The first row of a file. Excel reads UTF-8 by its mark. */
export const csvHeader = (header: readonly string[]) => `\ufeff${csvLine(header)}`

/** A cell as it was before `csvLine` wrote it: without the quote that kept a spreadsheet from computing it. */
export const unwritten = (cell: string): string =>
  cell.startsWith("'") && isFormula.test(cell.slice(1)) ? cell.slice(1) : cell
