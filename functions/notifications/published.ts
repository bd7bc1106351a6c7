/** What a processor tells goes through here, whoever heard it. */
export { hear } from './hear.ts'
