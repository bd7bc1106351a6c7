/** What other areas may import of processors: whether payments go to an account of the workspace's own, and which takes new ones. */
export { activeAccount, ownAccountOf } from './store.ts'
export { accountNow } from './taking.ts'
