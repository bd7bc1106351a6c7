import { interfaceVersion } from '../../src/http/envelope.ts'
import { ratePolicies } from '../../src/http/stages/rate-limit.ts'

/** The text before the operations: how all of them behave. */
export const introduction = `Spindle takes payments for merchants in Mexico and Latin America. Your backend creates something to pay (here: a payment link), your buyer pays it on a page of ours by card, at OXXO or by SPEI, and the payment with its fees and its ledger entries is yours to read, to refund and to pay out.

## Getting started

1. **Sign up** and enrol an authenticator (Accounts). What you get is a *customer session*: a bearer for people.
2. **Open a workspace** (Workspaces). Its \`tenant_id\` names your business; the same id can be opened in both environments.
3. **Create an API key** (Step-up, then API keys). The plaintext credential is in that one reply and nowhere else.
4. **Create a payment link** with the API key, give its \`url\` to a buyer, and pay it with a test card.
5. **Read the payment** under \`/v1/payment-operations/payments\`, and its journals.
6. **Get notified**: register a webhook endpoint, and every change is sent to you, signed.

On your own machine \`npm start\` has done the first three for you and prints an API key.

There are two environments, each with its own base address, its own data and its own API keys (\`sk_sbx_…\`, \`sk_live_…\`). Accounts are shared by both. In the sandbox a simulated processor answers; no money moves.

## Credentials

Every call carries \`Authorization: Bearer <credential>\`. Merchant operations take an **API key**; each names the scope that it needs. Accounts, workspaces and the administration of API keys take a **customer session**; creating, rotating and revoking a key also take a **step-up proof** in \`x-sp-step-up-token\`: short-lived, single-use, bound to that one mutation and to its Idempotency-Key.

A revoked key stops with the next request. An id that is not yours answers exactly like one that does not exist.

## Money

Amounts are strings of decimal digits in minor units with a lowercase \`currency\`: \`"120000"\` and \`mxn\` are 1,200.00 pesos. They are integers; never parse them into a floating-point number. One field is a JSON number, \`manual_amount\` of a payment link, in integer minor units as well. Rates are in basis points (100 is 1 %).

## Idempotency

Operations that create or change something need an \`Idempotency-Key\` of 8 to 255 characters that you choose, one for each thing you want done; a PATCH may do without. Send the same key with the same request again, as often as you like: it has its effect once, and every later answer is the first one with \`Idempotent-Replayed: true\`. The same key with another request to the same operation is refused (422 \`idempotency_key_reused\`). A replay of a created or rotated API key has no \`one_time_value\`.

A 503 \`outcome_unknown\`, a timeout or a broken connection do not tell whether it happened: retry with the **same** key. Keys are kept for 30 days.

## Changing what you have read

A payment link, a webhook endpoint and the payout settings show their \`version\` as \`ETag\` too. Send it back as \`If-Match: "3"\` with a change, and the change happens to that version or not at all: if another request was quicker, it is refused (412 \`version_changed\`). Without the header the last change counts. A read with \`If-None-Match: "3"\` is answered 304 without a body while that is still the version. What was just created says where it is read in \`Location\`.

Ids are UUIDs in lower case; in upper case they are the same. A payment link is found by its \`id\` and by its \`public_id\`.

## What may be added

Within this version fields, error codes, event types and values of a list of values may be added, and nothing is taken away or gets another meaning. Ignore fields that you do not know, treat an error code that you do not know by its \`type\` and its status, and answer 2xx to events that you do not know. What you send is checked strictly: a field that does not exist is refused.

## Errors

Errors have one shape, and \`code\` is from a closed catalogue: see [all error codes](/docs/errors). Validation tells every field at fault in \`details\`. Quote \`request_id\`, which is also in \`X-Request-Id\`, when you ask about a request; a sensible \`X-Request-Id\` of your own (8 to 64 of \`A-Z a-z 0-9 _ -\`, no card number) is kept.

## Lists and paging

Lists run newest first. \`limit\` is 1 to 100, 20 when absent. While \`has_more\` is true, send \`next_cursor\` back as \`cursor\` with the same filters; it is empty on the last page. A cursor is opaque, and refused with other filters or in another workspace (400 \`cursor_invalid\`). New items do not shift the pages behind a cursor.

The order is that of \`created_at\`, then of \`id\`. A row gets its \`created_at\` a moment before it can be read, so one that appears late may stand behind rows that you have seen: to follow what is new, ask again from a few minutes back (\`created_at.gte\`) and leave out what you know by its \`id\`. \`created_at.gt\`, \`gte\`, \`lt\` and \`lte\` bound every list. \`metadata[order]=1024\` finds payment links and payments by one key of their metadata.

## Versions

This is version \`${interfaceVersion}\`; every reply says so in \`Spindle-Version\`. A request may name the version it was written for in the same header; one that does not exist is refused. Within a version, fields and error codes may be added: ignore what you do not know.

## Rate limits

Requests are counted per credential and minute: ${ratePolicies.read.limit} reads, ${ratePolicies.write.limit} writes, ${ratePolicies.auth.limit} calls that check a password, a second factor or a proof, or open a workspace. A credential that has not been accepted within the hour counts towards its client address too, ${ratePolicies.stranger.limit} a minute (of IPv6 the /64), as do calls without any. \`RateLimit-Policy\` names the limit that applies; over it, 429 with \`Retry-After\` and \`RateLimit\`.

## Test cards

The sandbox's payment page lists its test cards; the operations under Sandbox pay vouchers, send SPEI transfers, open disputes, send webhooks twice, in reverse or late, and let time pass. A card number never reaches this interface: the page turns it into a token in the browser, and a text that contains what looks like a card number is refused (\`card_number_refused\`).`

/** The chapters of the reference, in the order in which a newcomer meets them. */
export const tags = [
  {
    name: 'Accounts',
    description:
      'Accounts of people: sign-up, sign-in, second factors, passkeys, sessions. One account serves both environments. Field names here are camelCase.',
  },
  {
    name: 'Workspaces',
    description: 'A workspace is a business: what it owns is kept apart from everybody else’s.',
  },
  {
    name: 'Step-up',
    description:
      'Proofs of recent authentication. `params_hash` is the lowercase SHA-256 of canonical JSON: keys sorted recursively, UTF-8, no whitespace. For `{"description":"Storefront","environment":"sandbox","scopes":["payment_links:read","refunds:write"]}` it is `c807457de80bfe13f0bb60d71575dfb9fbe1e801827ffc6917250cff02185a55`.',
  },
  {
    name: 'API keys',
    description:
      'Credentials of a merchant’s backend. Statuses: `provisioning`, `active`, `rotating` (still works, its successor too), `revoking` (works no more), `revoked`, `failed`.',
  },
  {
    name: 'Payment links',
    description:
      'An address that a buyer pays at. `active` and `inactive` change into each other; a single-use link becomes `paid` with its first success; `archived` is the end. A revoked link is `inactive` for good.',
  },
  {
    name: 'Payments',
    description:
      'The financial read model: payments, their attempts, events and ledger journals, and the balance. The source of truth, where redirects are not.',
  },
  {
    name: 'Refunds',
    description:
      'Money back to buyers. Cards are refunded by the processor; what was paid at OXXO or by SPEI goes to a CLABE of the buyer and waits as `requires_destination` without one. What an API key sends to CLABEs above its limit of the day is `pending_approval` until a person approves it. `pending` (waits for your balance), `pending_approval` and `requires_destination` can be canceled; `processing` is on its way; `succeeded`, `failed` and `canceled` are the end, but a bank may send a refund back: then `succeeded` becomes `failed`. What fails or is canceled can be refunded again.',
  },
  {
    name: 'Unapplied funds',
    description:
      'Money that arrived by SPEI or at OXXO and belongs to no payment: too much, too late, twice, too little until the time was over, or to a CLABE that was never lent. It is `open` until all of it was applied to payments or sent back, then `settled`.',
  },
  {
    name: 'Transfers',
    description:
      'Money that you send from your available balance, to a CLABE or to another workspace. `pending` and `processing` are debited; above the limit of the API key for the day a transfer is `pending_approval` and debits nothing until a person approves it. A bank may send a paid transfer back: then it is `returned`, and the money available again.',
  },
  {
    name: 'Payouts',
    description:
      'Your available balance on its way to your own bank, with every movement that it is made of. `pending` and `in_transit` are debited; `paid` has arrived, with the trace that your statement shows. What is `failed`, `returned` (your bank sent it back after it was paid) or `canceled` is available again, once, and goes into the next payout. So does what a refund or a dispute took below zero: the next payout is smaller by it.',
  },
  {
    name: 'Disputes',
    description:
      'A buyer’s bank takes the money back. While a dispute is `needs_response` or `under_review` its amount is held and the payment cannot be refunded; `won` releases it, `lost` keeps it.',
  },
  {
    name: 'Webhooks',
    description:
      'Everything that happens is an event, and is sent to your endpoints: signed as [Standard Webhooks](https://www.standardwebhooks.com) has it, at least once, in no guaranteed order. `webhook-id` is the event’s id: take each once. `sequence` orders the events of one resource. Answer 2xx within 10 seconds; anything else is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, later where you send `Retry-After`. Redirects are not followed, 410 disables the endpoint, and so do five days without a success.',
  },
  {
    name: 'Sandbox',
    description:
      'Levers of the simulated outside world: vouchers that are paid, transfers that arrive, disputes that open, time that passes. In live these addresses do not exist.',
  },
] as const
