/** The kinds of error, as a client's code would branch on them. */
export type ProblemType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'rate_limit_error'
  | 'payment_error'
  | 'api_error'

export interface Entry {
  readonly status: number
  readonly type: ProblemType
  readonly message: string
}

/** One error: status, type and public text. */
export const p = (status: number, type: ProblemType, message: string): Entry => ({ status, type, message })
