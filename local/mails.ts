import type { DeclaredMail } from '../src/kernel/declared-mail.ts'
import { declarations, mails } from './declarations.ts'

type Buyers = Extract<DeclaredMail, { to: 'buyer' }>
type Outgoing = Buyers | Extract<DeclaredMail, { to: 'person' }>

const all = Object.entries(mails)
const kinds = (holds: (mail: DeclaredMail) => boolean) =>
  all.flatMap(([kind, mail]) => (holds(mail) ? [kind] : []))

const isBuyers = (mail: DeclaredMail): mail is Buyers => mail.to === 'buyer'
const isOutgoing = (mail: DeclaredMail): mail is Outgoing => isBuyers(mail) || mail.to === 'person'
const isNotice = ({ to }: DeclaredMail) => to === 'owners' || to === 'admins'
const opensOf = (mail: DeclaredMail) => ('opens' in mail ? mail.opens : undefined)
const insists = (mail: DeclaredMail, why: string) => 'insists' in mail && mail.insists === why
const isNamed = (mail: DeclaredMail) => isOutgoing(mail) && (!isBuyers(mail) || mail.address !== 'of_payment')

/** Mails to persons without an account, with what the database knows of each kind. */
export const outgoing = all.flatMap(([kind, mail]) =>
  isOutgoing(mail)
    ? [
        [
          kind,
          {
            cause: mail.cause,
            isReminder: isBuyers(mail) && mail.isReminder === true,
            isReminded: isBuyers(mail) && mail.isReminded === true,
          },
        ] as const,
      ]
    : [],
)

const listed = (name: string, says: string, names: readonly string[]) => `/** ${says} */
export const ${name} = [${names.map((each) => `'${each}'`).join(', ')}] as const
`

const fields = (name: string, says: string, holds: (mail: DeclaredMail) => boolean, beside = '') => {
  const lines = all.flatMap(([kind, mail]) => {
    if (!holds(mail)) return []
    const names = [...(isBuyers(mail) && beside ? [beside] : []), ...mail.data]
    return [`  readonly ${kind}: ${names.map((each) => `'${each}'`).join(' | ') || 'never'}`]
  })
  return `/** ${says} */
export interface ${name} {
${lines.join('\n')}
}
`
}

/** What schemas, plans and queries know of mails: no words. */
export const mailKindsModule = (header: string): string => `// ${header}

${listed('noticeKinds', 'Mails to the owners of a workspace, or to its admins too.', kinds(isNotice))}
/** Mails in the database of accounts: to an account, or to the owners of a workspace. */
export const accountMailKinds = [...noticeKinds, ${kinds((mail) => mail.to === 'account')
  .map((each) => `'${each}'`)
  .join(', ')}] as const

${listed(
  'adminNoticeKinds',
  'Those of them that its admins get too.',
  kinds(({ to }) => to === 'admins'),
)}
${listed('outgoingMailKinds', 'Mails to persons who may have no account.', kinds(isOutgoing))}
${listed(
  'receiptMailKinds',
  'Mails for which the lines, the IVA and the card of a payment are read.',
  kinds((mail) => isBuyers(mail) && mail.isReceipt === true),
)}
${listed(
  'askedMailKinds',
  'Mails that a person has just asked for: they are sent to a suppressed address too.',
  kinds((mail) => insists(mail, 'asked')),
)}
${listed(
  'safetyMailKinds',
  'Mails that are sent after a complaint still: another person may act in the reader’s name.',
  kinds((mail) => insists(mail, 'safety')),
)}
/** The page that the link of a mail opens, with a token. */
export const mailPages = {
${all.flatMap(([kind, mail]) => (opensOf(mail) ? [`  ${kind}: '${opensOf(mail)}',`] : [])).join('\n')}
} as const

${fields('NoticeFields', 'The fields of each kind that a plan gives to `noticeToOwners`.', isNotice)}
${fields('BuyerMailFields', 'The same for `mailToBuyer`.', (mail) => isBuyers(mail) && mail.address !== 'named')}
${fields('NamedMailFields', 'The same for `mailTo`.', isNamed, 'page')}`

/** The words of all mails, from the files of their areas. */
export function mailsModule(header: string): string {
  const areas = [...declarations]
    .filter(([, area]) => area.mails)
    .map(([folder]) => ({
      path: `../../functions/${folder}/mails.ts`,
      name: folder.split('/')[1]!.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
  return `// ${header}
${areas.map(({ path, name }) => `import { mails as ${name} } from '${path}'`).join('\n')}
import type { Mails } from '../kernel/declared-mail.ts'

/** Every mail, by its kind. The run that sends mails loads it. */
export const mails: Mails = {
${areas.map(({ name }) => `  ...${name},`).join('\n')}
}
`
}

const recipients = {
  account: 'the account',
  owners: 'the owners',
  admins: 'the owners and admins',
  person: 'a named person',
  of_payment: 'the buyer of a payment',
  named: 'a buyer at a named address',
  either: 'the buyer of a payment, or a named address',
} as const

/** The lines of the table in docs/decisions/mail.md. */
export const mailLines: readonly string[] = all.map(([kind, mail]) => {
  const to = recipients[isBuyers(mail) ? mail.address : mail.to]
  const [cause, ends] = isOutgoing(mail)
    ? [mail.cause, isBuyers(mail) && mail.isReminder ? 'yes' : 'no']
    : ['not counted', 'no']
  return `| ${kind} | ${to} | ${cause} | ${ends} | ${mail.data.join(', ') || 'none'} |`
})
