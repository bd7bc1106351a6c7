import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { type Account, openAccount, signUp } from '../../local/merchant.ts'
import { canonicalJson } from '../../src/kernel/canonical.ts'
import { uuidv7 } from '../../src/kernel/ids.ts'
import type { Json } from '../../src/kernel/json.ts'
import type { Environment, Merchant } from './merchant.ts'
import { adminSql, stack } from './stack.ts'

export type Customer = Account & { userId: string; sessionId: string }

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** An address of letters only: random digits may look like a card number, which is refused. */
export const newEmail = (): string =>
  `ana-${randomUUID().replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)}@example.com`

/**
 * A customer who signed up through the interface and, by default, enrolled an authenticator. Takes a moment: passwords
 * are hashed.
 */
export async function newCustomer({ factor = true } = {}): Promise<Customer> {
  const email = newEmail()
  const url = stack.sandbox.directUrl
  const account = factor
    ? await openAccount(url, 'Ana', email)
    : { ...(await signUp(url, 'Ana', email)), totpSecret: '', backupCodes: [] }
  return { ...account, ...(await whoIs(account.token)) }
}

/** The user of a session bearer. */
export async function whoIs(token: string): Promise<{ userId: string; sessionId: string }> {
  const response = await fetch(`${stack.sandbox.directUrl}/v1/auth/get-session`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { user, session } = (await response.json()) as { user: { id: string }; session: { id: string } }
  return { userId: user.id, sessionId: session.id }
}

/** Makes a customer a member of an existing tenant. */
export async function join(
  customer: Pick<Customer, 'userId' | 'email'>,
  merchant: Pick<Merchant, 'tenantId' | 'environment'>,
  role: 'owner' | 'admin' | 'member' = 'owner',
): Promise<void> {
  await adminSql(merchant.environment)(
    `insert into memberships (tenant_id, user_id, email, role, status, created_at, updated_at)
     values ($1, $2, $3, $4, 'active', now(), now())`,
    [merchant.tenantId, customer.userId, customer.email, role],
  )
}

export type ProofOf = {
  action: string
  key: string
  params: Json
  scope?: string
  environment?: Environment
  sessionId?: string
  userId?: string
  status?: string
  expiresAt?: Date
}

/** The stored form of an Idempotency-Key. */
export const keyDigest = (key: string, environment: Merchant['environment'] = 'sandbox'): string =>
  createHmac('sha256', stack[environment].signingSecret).update(`idempotency:${key}`).digest('hex')

/**
 * A step-up proof as the verify operation leaves it, written straight into the database: any field can be overridden,
 * and no code of the account is spent.
 */
export async function newProof(
  customer: Pick<Customer, 'userId' | 'sessionId'>,
  merchant: Pick<Merchant, 'tenantId' | 'environment'>,
  proof: ProofOf,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await adminSql(merchant.environment)(
    `insert into step_up_challenges (tenant_id, id, user_id, session_id, environment, action, scope, idempotency_key,
       params_hash, status, method, passkey_challenge, token_digest, challenge_expires_at, token_expires_at, created_at,
       updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'totp', 'x', $11, now() + interval '5 minutes', $12, now(), now())`,
    [
      merchant.tenantId,
      uuidv7(Date.now()),
      proof.userId ?? customer.userId,
      proof.sessionId ?? customer.sessionId,
      proof.environment ?? merchant.environment,
      proof.action,
      proof.scope ?? 'api_keys:write',
      keyDigest(proof.key, merchant.environment),
      sha256(canonicalJson(proof.params)),
      proof.status ?? 'verified',
      sha256(token),
      proof.expiresAt ?? new Date(Date.now() + 300_000),
    ],
  )
  return token
}
