import type { Declaration } from '../../../src/http/declaration.ts'

/** The pages that mails to people with an account lead to: they call what `auth` and `members` offer. */
export const area: Declaration = {
  routes: [
    { at: ['/account'], by: 'pages/mail-links.ts#mailLinkPages', given: 'identity' },
    { at: ['/account/invitation'], by: 'pages/invitations.ts#invitationPages', given: 'identity' },
  ],
}
