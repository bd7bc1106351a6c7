export type { Role } from './plan.ts'
