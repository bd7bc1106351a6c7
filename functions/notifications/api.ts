/** All notifications of processors go through here. */
export { handleNotification } from './handle.ts'
