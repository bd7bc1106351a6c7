/** A notice becomes a mail to each owner of its workspace. */
export const handOver = { id: 'mails.hand_over', access: { system: {} }, tables: ['mail_notices'] } as const

/** The provider has taken a mail to a named recipient, or it is given up. */
export const finish = { id: 'mails.finish', access: { system: {} }, tables: ['outgoing_mails'] } as const
