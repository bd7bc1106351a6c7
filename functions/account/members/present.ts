import type { InvitationRow, MemberRow } from './store.ts'

export const presentMember = (member: MemberRow) => ({
  id: member.id,
  object: 'member' as const,
  tenant_id: member.tenantId,
  user_id: member.userId,
  email: member.email as string | null,
  role: member.role,
  status: member.status,
  created_at: member.createdAt.toISOString(),
  updated_at: member.updatedAt.toISOString(),
})

export const presentInvitation = (invitation: InvitationRow) => ({
  id: invitation.id,
  object: 'invitation' as const,
  email: invitation.email,
  role: invitation.role,
  locale: invitation.locale,
  status: invitation.status,
  invited_by: invitation.invitedBy,
  accepted_by: invitation.acceptedBy,
  sends_count: invitation.sendsCount,
  expires_at: invitation.expiresAt.toISOString(),
  created_at: invitation.createdAt.toISOString(),
  updated_at: invitation.updatedAt.toISOString(),
})

/** As events show it: receivers need to know who, not their address. */
export const withoutAddress = <Shown extends { readonly email: string | null }>(shown: Shown) => ({
  ...shown,
  email: null,
})
