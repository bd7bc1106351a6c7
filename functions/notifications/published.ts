/** All notifications of processors go through here. */
export { hear } from './hear.ts'
