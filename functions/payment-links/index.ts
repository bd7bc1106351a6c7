import { area } from '../../src/http/mount.ts'
import {
  activateLink,
  archiveLink,
  createLink,
  deactivateLink,
  getLink,
  listLinkPayments,
  listLinks,
  revokeLink,
  updateLink,
} from './operations.ts'

export const paymentLinkOperations = [
  createLink,
  listLinks,
  getLink,
  updateLink,
  activateLink,
  deactivateLink,
  revokeLink,
  archiveLink,
  listLinkPayments,
]
export const paymentLinksArea = area(...paymentLinkOperations)
