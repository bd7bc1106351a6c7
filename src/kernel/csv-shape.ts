/** How a file's cells are read. */
export interface CsvShape {
  readonly delimiter: string
  readonly header: readonly string[]
  /** Where the first row below the header begins. */
  readonly start: number
}
