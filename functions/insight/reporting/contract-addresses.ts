const access = { api_key: { scopes: ['customer_hub:read'] } } as const

/** Asking for addresses: the entry of the audit trail, which a key may make that may read customers. */
export const asking = { id: 'report_runs.ask_addresses', access, tables: [] } as const

/** Reading them, in a file or in rows: an entry each time, before the first of them is read. */
export const showing = { id: 'report_runs.read_addresses', access, tables: [] } as const
