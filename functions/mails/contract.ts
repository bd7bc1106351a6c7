/** A notice becomes a mail to each owner of its workspace. */
export const handOver = { id: 'mails.hand_over', access: { system: {} }, tables: ['mail_notices'] } as const
