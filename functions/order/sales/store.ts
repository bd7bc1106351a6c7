import { and, desc, getTableColumns, type SQLWrapper, sql } from 'drizzle-orm'
import { buyerDetails } from '../../../drizzle/schema/buyer-details.ts'
import { publicIds } from '../../../drizzle/schema/public-ids.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, inWindow, ownTenant, rowsLimit, select, slot } from '../../../src/platform/query.ts'
import { filtered } from '../../../src/platform/rows.ts'

/** What the buyer gave with the last attempt to pay what was sold. */
export const collectedOf = (originId: SQLWrapper) =>
  sql`(select ${buyerDetails.details} from ${buyerDetails} where ${ownTenant(buyerDetails)}
  and ${buyerDetails.originId} = ${originId} order by ${buyerDetails.createdAt} desc, ${buyerDetails.id} desc limit 1)`

const { emailDigests: _, ...detailsColumns } = getTableColumns(buyerDetails)
export type DetailsRow = Omit<Row<typeof buyerDetails>, 'emailDigests'>

/** What buyers gave for what was sold at a public id or under an id: of each payment with its last attempt. */
export const detailsPage = select<DetailsRow>((has) =>
  build
    .select(detailsColumns)
    .from(buyerDetails)
    .where(
      and(
        ...inWindow(buyerDetails, has),
        ...filtered(buyerDetails, has, ['paymentId']),
        sql`${buyerDetails.originId} = ${
          has('soldId')
            ? slot('soldId')
            : sql`(select ${publicIds.id} from ${publicIds} where ${ownTenant(publicIds)} and ${publicIds.publicId} = ${slot('soldPublicId')})`
        }`,
        sql`not exists (select from ${buyerDetails} later where later.tenant_id = ${buyerDetails.tenantId}
          and later.payment_id = ${buyerDetails.paymentId}
          and (later.created_at, later.id) > (${buyerDetails.createdAt}, ${buyerDetails.id}))`,
      ),
    )
    .orderBy(desc(buyerDetails.createdAt), desc(buyerDetails.id))
    .limit(rowsLimit),
)
