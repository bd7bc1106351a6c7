import { interfaceVersion } from '../../src/http/envelope.ts'
import { ratePolicies } from '../../src/http/stages/rate-limit.ts'
import { declared, kinds } from '../declarations.ts'
import { operations } from '../operations.ts'
import { nounOf } from './parts.ts'

const nounsWith = (field: 'versioned' | 'showsLive') =>
  new Set(operations.flatMap(({ contract }) => (contract[field] ? [nounOf(contract.path)] : [])))
const withMetadata = Object.entries(kinds).flatMap(([kind, { hasMetadata }]) =>
  hasMetadata ? [`${kind.replaceAll('_', ' ')}s`] : [],
)

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

A 503 \`outcome_unknown\`, a timeout or a broken connection do not show whether it happened: retry with the **same** key. Keys are kept for 30 days.

## Changing what you have read

What has a \`version\` shows it as \`ETag\` too: ${[...nounsWith('versioned')].join(', ')}. Send it back as \`If-Match: "3"\` with a change, and the change happens to that version or not at all: if another request was quicker, it is refused (412 \`version_changed\`). Without the header the last change counts. A read with \`If-None-Match: "3"\` is answered 304 without a body while that is still the version; not of ${[...nounsWith('showsLive')].join(', ')}, which also show what moves without a new version: how often it was paid, what is under way, what was verified or has begun. What was just created says where it is read in \`Location\`.

Ids are UUIDs in lower case; in upper case they are the same. Payment links, checkout sessions, payments and digital catalogs are found by their \`id\` and by their \`public_id\`.

## What may be added

Within this version fields, error codes, event types and values of a list of values may be added, and nothing is taken away or gets another meaning. Ignore fields that you do not know, treat an error code that you do not know by its \`type\` and its status, and answer 2xx to events that you do not know. What you send is checked strictly: a field that does not exist is refused.

## Errors

Errors have one shape, and \`code\` is from a closed catalog: see [all error codes](/docs/errors). Validation names every field at fault in \`details\`. Quote \`request_id\`, which is also in \`X-Request-Id\`, when you ask about a request; a sensible \`X-Request-Id\` of your own (8 to 64 of \`A-Z a-z 0-9 _ -\`, no card number) is kept.

## Lists and paging

Lists run newest first. \`limit\` is 1 to 100, 20 when absent. While \`has_more\` is true, send \`next_cursor\` back as \`cursor\` with the same filters; it is empty on the last page. A cursor is opaque, and refused with other filters or in another workspace (400 \`cursor_invalid\`). New items do not shift the pages behind a cursor.

The order is that of \`created_at\`, then of \`id\`. A row gets its \`created_at\` a moment before it can be read, so one that appears late may stand behind rows that you have seen: to follow what is new, ask again from a few minutes back (\`created_at.gte\`) and leave out what you know by its \`id\`. \`created_at.gt\`, \`gte\`, \`lt\` and \`lte\` bound every list. \`metadata[order]=1024\` finds ${withMetadata.join(', ')} by one key of their metadata.

## Versions

This is version \`${interfaceVersion}\`; every reply says so in \`Spindle-Version\`. A request may name the version it was written for in the same header; one that does not exist is refused. Within a version, fields and error codes may be added: ignore what you do not know.

## Rate limits

Requests are counted per credential and minute: ${ratePolicies.read.limit} reads, ${ratePolicies.write.limit} writes, ${ratePolicies.auth.limit} calls that check a password, a second factor or a proof, or open a workspace. A credential that has not been accepted within the hour counts towards its client address too, ${ratePolicies.stranger.limit} a minute (of IPv6 the /64), as do calls without any. \`RateLimit-Policy\` names the limit that applies; over it, 429 with \`Retry-After\` and \`RateLimit\`.

## Test cards

The sandbox's payment page lists its test cards; the operations under Sandbox pay vouchers, send SPEI transfers, open disputes, send webhooks twice, in reverse or late, and let time pass. A card number never reaches this interface: the page turns it into a token in the browser, and a text that contains what looks like a card number is refused (\`card_number_refused\`).`

/** The chapters of the reference, in the order in which a newcomer meets them. */
export const tags = declared((area) => area.tags)
  .toSorted((a, b) => a.at - b.at)
  .map(({ name, description }) => ({ name, description }))
