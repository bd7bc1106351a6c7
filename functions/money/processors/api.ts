/** What other areas may import of processors: whether a workspace's payments go to an account of its own. */
export { ownAccountOf } from './store.ts'
