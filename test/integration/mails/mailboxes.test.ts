import '../../property/seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mailboxOf, normalizeEmail } from '../../../src/kernel/email.ts'
import { adminSql } from '../../support/stack.ts'

/*
 * What is one mailbox is said three times: where a Worker counts vouchers that wait, in the database of mails, and in that
 * of accounts.
 */

const said = {
  sandbox: 'door.mailbox_of',
  live: 'door.mailbox_of',
  identity: 'public.mailbox_of',
} as const

async function inDatabases(emails: readonly string[]) {
  const rows = Object.entries(said).map(async ([database, name]) => {
    const found = await adminSql(database as keyof typeof said)<{ mailbox: string }>(
      `select ${name}(a) as mailbox from unnest($1::text[]) with ordinality t (a, n) order by n`,
      [emails],
    )
    return [database, found.map(({ mailbox }) => mailbox)] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

const inAll = (mailboxes: readonly string[]) =>
  Object.fromEntries(Object.keys(said).map((database) => [database, mailboxes]))

const table = [
  ['ana@example.com', 'ana@example.com'],
  ['Ana@Example.COM', 'ana@example.com'],
  ['ana+tienda@example.com', 'ana@example.com'],
  ['ana+a+b@example.com', 'ana@example.com'],
  ['ana+@example.com', 'ana@example.com'],
  ['ana.ruiz@example.com', 'ana.ruiz@example.com'],
  ['ana.ruiz@gmail.com', 'anaruiz@gmail.com'],
  ['A.n.a+x.y@GoogleMail.com', 'ana@gmail.com'],
  ['ana@mail.gmail.com', 'ana@mail.gmail.com'],
  ['ana@gmail.com.mx', 'ana@gmail.com.mx'],
  ["o'hara&hijos@example.com", "o'hara&hijos@example.com"],
  // Nothing stands before the first plus: each is a mailbox of its own, not one that all of the domain share.
  ['+ana@example.com', '+ana@example.com'],
  ['+ana+tienda@example.com', '+ana@example.com'],
  ['++ana@example.com', '+@example.com'],
  ['+@example.com', '+@example.com'],
  ['+a@gmail.com', '+a@gmail.com'],
] as const

test('which addresses lead to one mailbox', async () => {
  const emails = table.map(([email]) => email)
  const mailboxes = table.map(([, mailbox]) => mailbox)
  expect(emails.map(mailboxOf)).toEqual(mailboxes)
  expect(await inDatabases(emails)).toEqual(inAll(mailboxes))
})

const letter = fc.constantFrom(...'abzA09_-')
const mark = fc.constantFrom('.', '+', "'", '&')
const local = fc
  .array(fc.oneof({ weight: 3, arbitrary: letter }, { weight: 2, arbitrary: mark }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(''))
const domain = fc.constantFrom(
  'gmail.com',
  'GMAIL.com',
  'googlemail.com',
  'gmail.co',
  'niño.mx',
  'a-b.example.com',
)
const email = fc
  .tuple(local, domain)
  .map(([name, host]) => normalizeEmail(`${name}@${host}`))
  .filter((each) => each !== null)

test('of any address the Worker and the databases say the same, and the mailbox of a mailbox is itself', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(email, { minLength: 30, maxLength: 60 }), async (emails) => {
      const mailboxes = emails.map(mailboxOf)
      expect(await inDatabases(emails)).toEqual(inAll(mailboxes))
      expect(mailboxes.map(mailboxOf)).toEqual(mailboxes)
    }),
    { numRuns: 30 },
  )
})
