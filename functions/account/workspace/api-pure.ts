export { isReviewed } from './plan-details.ts'
