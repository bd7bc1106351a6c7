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

export const operations = [
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
