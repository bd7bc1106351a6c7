/** All notifications of processors go through here. */
export { type Hint, handleNotification } from './handle.ts'
