export { csvOf } from './csv.ts'
