/** What a mail says. Every text is plain: template.ts writes it as text and as HTML. */
export interface MailWords {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** The label of the button that leads to its link. */
  readonly button?: string
  /** What to do when the reader did not expect it. */
  readonly closing: string
}

export type Data = Readonly<Record<string, string>>

// No name where the address is not confirmed.
export const hola = (name: string) => (name === '' ? 'Hola:' : `Hola, ${name}:`)
export const hello = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`)
