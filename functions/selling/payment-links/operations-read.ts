import { getOperation, listOperation } from '../../../src/http/reads.ts'
import * as contracts from './contract-read.ts'
import { presentLink } from './present.ts'
import { links, linksPage } from './store.ts'

export const listLinks = listOperation(contracts.list, linksPage, (link, { linkBaseUrl }) =>
  presentLink(link, linkBaseUrl),
)

export const getLink = getOperation(
  contracts.get,
  ({ id }) => links.at(id),
  (link, { linkBaseUrl }) => presentLink(link, linkBaseUrl),
)

/** What is read most, without what the other operations need. */
export const operations = [listLinks, getLink]
