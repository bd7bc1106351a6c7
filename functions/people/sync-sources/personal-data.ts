import type { PersonalTables } from '../../../src/http/declaration.ts'

const ofKnowing = `t.source_id in (select x.source_id from public.customer_external_ids x
  where x.tenant_id = p_tenant and x.customer_id = any (p_customers))`

export const personalData: PersonalTables = {
  idempotency_claims: {
    by: 'batches',
    columns: [
      {
        names: ['reply_body'],
        fate: 'emptied',
        why: 'replies to batches that name the customer or its id at a source; a replay answers `reply_erased`',
        withheld: 'a batch names other people too',
      },
    ],
  },
  // The erasure raises the version of a file that is being uploaded, so the upload is refused at its end. Its bytes may
  // reach the bucket until the upload's hour is over: the file is removed then.
  sync_files: {
    whose: ofKnowing,
    while: `t.status = 'uploading' and t.version = 1 or t.status in ('stored', 'replaced') and t.remove_at > now()`,
    erasure: { set: `remove_at = case t.status when 'uploading' then t.remove_at else now() end` },
    columns: [
      {
        names: ['content', 'shape'],
        fate: 'deleted',
        why: 'uploaded files of the sources that know the customer, with the rows that were refused, are removed a minute later',
        withheld: 'a file names other people too',
      },
    ],
    impersonal: 'fields',
  },
  sync_refusals: {
    whose: ofKnowing,
    erasure: 'delete',
    columns: [
      {
        names: ['records'],
        fate: 'deleted',
        why: 'lists of refused records of the sources that know the customer: they name customers by the source’s id',
        withheld: 'a list names other people too',
      },
    ],
  },
  customer_external_ids: {
    whose: 't.customer_id = any (p_customers)',
    shownAs: 'external_ids',
    while: 't.external_id is not null',
    erasure: { set: 'external_id = null' },
    goes: 'last',
    columns: [
      {
        names: ['source_id'],
        fate: 'kept',
        why: 'it says which system knows the customer',
      },
      {
        names: ['external_id'],
        fate: 'emptied',
        why: 'a keyed digest stays, so that a synchronisation does not create the customer once more',
      },
      {
        names: ['external_id_digest'],
        fate: 'kept',
        why: 'a keyed digest: the id is not read from it without the database’s key',
        withheld: 'a digest tells the person nothing',
      },
    ],
  },
}
