export const fileBytesMax = 50 * 1024 * 1024
/** How much of a file is looked at when it comes: its header must lie within. */
export const headBytes = 64 * 1024
