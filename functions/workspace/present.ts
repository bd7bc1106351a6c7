/** A workspace as one of its members sees it; door.workspaces_of returns rows in this form. */
export interface WorkspaceRow {
  readonly tenant_id: string
  readonly name: string
  readonly status: 'active' | 'suspended' | 'closed'
  readonly role: 'owner' | 'admin' | 'member'
  readonly created_at: string
}

export const presentWorkspace = (row: WorkspaceRow, environment: 'sandbox' | 'live') => ({
  object: 'workspace' as const,
  tenant_id: row.tenant_id,
  name: row.name,
  status: row.status,
  environment,
  role: row.role,
  created_at: new Date(row.created_at).toISOString(),
})
