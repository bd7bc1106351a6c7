import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  member_not_found: problem(
    404,
    'There is no such member.',
    'List the members of the workspace for their ids.',
  ),
  last_owner: problem(
    409,
    'This is the only owner of the workspace, and a workspace keeps one.',
    'Make another member an owner first.',
  ),
  already_member: problem(
    409,
    'A member of the workspace has this address.',
    'Nothing is left to do; change the role of the member if it is another one.',
  ),
  invitation_exists: problem(
    409,
    'An invitation to this address is pending.',
    'Send that invitation again, or revoke it to invite with another role.',
  ),
  invitation_limit_reached: problem(
    409,
    'The workspace has 50 pending invitations, which is the most that it may have.',
    'Revoke invitations that are not needed, or wait until they are accepted or expire.',
  ),
  invitation_not_pending: problem(
    409,
    'The invitation was accepted or revoked, or has expired.',
    'Invite the address again where it is needed.',
  ),
  invitation_sent_too_often: problem(
    429,
    'The invitation was sent five times.',
    'Ask the person to look among unwanted mails, or revoke it and invite another address.',
  ),
  invitation_already_accepted: problem(
    409,
    'You have accepted this invitation.',
    'Nothing is left to do: list your workspaces.',
  ),
  invitation_revoked: problem(
    410,
    'The invitation was revoked, or the member who sent it may no longer invite.',
    'Ask a member of the workspace for another invitation.',
  ),
  invitation_expired: problem(
    410,
    'The invitation has expired.',
    'Ask a member of the workspace for another invitation.',
  ),
}
