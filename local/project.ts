import { fileURLToPath } from 'node:url'

/** The folder that holds package.json, with a slash at its end. */
export const PROJECT = fileURLToPath(new URL('..', import.meta.url))
