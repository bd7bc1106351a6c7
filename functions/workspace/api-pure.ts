export { isReviewed, unbranded } from './plan-details.ts'
