export const fileBytesMax = 50 * 1024 * 1024
/** What the files of a workspace have together, until they are removed: drizzle/sql/059_sync_sources.sql refuses more. */
export const storedBytesMax = 500 * 1024 * 1024
export const storedFilesMax = 200
export const sourcesMax = 50
/** How much of a file is looked at when it comes: its header must lie within. */
export const headBytes = 64 * 1024
