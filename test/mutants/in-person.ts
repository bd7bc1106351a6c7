import { authorize, type Mutant, migration, stack, unit } from './mutant.ts'

const sql = 'drizzle/sql/059_devices.sql'
const credentials = 'integration/devices/credentials.test.ts'
const terminalSql = 'drizzle/sql/059_terminal.sql'
const ofTerminal = 'integration/terminal/terminal.test.ts'
const ofTokens = 'integration/tap-to-pay/connection-tokens.test.ts'
const ofInPerson = 'integration/in-person/in-person.test.ts'
const ofDevices = 'integration/devices/devices.test.ts'

export const inPerson: readonly Mutant[] = [
  stack(
    'a credential of an earlier pairing opens nothing',
    authorize,
    'v_device.pairings_count <> v_credential.pairing',
    'false',
    [credentials, 'opens nothing from the next request on'],
  ),
  stack('a device that is not paired opens nothing', authorize, `v_device.status <> 'paired'`, 'false', [
    credentials,
    'opens nothing from the next request on',
  ]),
  stack(
    'a rotated credential ends',
    authorize,
    'elsif v_credential.ends_at <= now() then',
    'elsif false then',
    [credentials, 'is rotated'],
  ),
  stack(
    'the public part of a credential is not enough',
    authorize,
    `v_credential.digest is distinct from p_credential->'digests'->>(v_credential.pepper_version::text)`,
    'false',
    [credentials, 'is refused with another secret'],
  ),
  stack(
    'an operation says which kinds of device may call it',
    authorize,
    `(v_condition->'kinds' ? v_device.kind) is not true`,
    'false',
    [credentials, 'and its pairing code open their own operations alone'],
  ),
  stack(
    'the beginning of a pairing code is not enough',
    authorize,
    `v_code.digest is distinct from p_credential->'digests'->>(v_code.pepper_version::text)`,
    'false',
    [credentials, 'is locked by five wrong ones'],
  ),
  stack('a pairing code is tried five times', authorize, 'v_code.tries_count >= 5', 'false', [
    credentials,
    'is locked by five wrong ones',
  ]),
  stack('a pairing code ends after ten minutes', authorize, 'v_code.expires_at <= now()', 'false', [
    credentials,
    'opens nothing once another was made',
  ]),
  stack(
    'a right pairing code waits behind wrong ones',
    sql,
    `where prefix = p_prefix and status = 'active' and tries_count < 5`,
    `where prefix = p_prefix and status = 'active' and tries_count < 5
    and digest is distinct from p_digests::jsonb->>(pepper_version::text)`,
    [credentials, 'a right one waits'],
  ),
  stack('no request waits to say that a device is online', sql, ' skip locked', '', [
    ofDevices,
    'nothing waits for it',
  ]),
  stack(
    'a paired device stays at its location',
    sql,
    `(new.status = 'paired' and old.location_id <> new.location_id)`,
    '(false)',
    [ofDevices, 'a paired device stays'],
  ),
  stack(
    'a workspace has at most 1,000 devices, also by enabling',
    sql,
    `when (old.status = 'disabled' and new.status <> 'disabled')`,
    'when (false)',
    [ofDevices, 'at most 1,000'],
  ),
  unit('what may be guessed counts against the address', 'src/http/access/device.ts', 'isShort: true,', '', [
    'devices/guesses.test.ts',
  ]),
  stack(
    'a reader does one thing at a time',
    migration,
    'CREATE UNIQUE INDEX "reader_actions_one"',
    'CREATE INDEX "reader_actions_one"',
    [ofTerminal, 'of 50 that are asked of one reader'],
  ),
  stack(
    'an action ends with its attempt',
    terminalSql,
    `(new.method = 'card_present' and old.status <> new.status)`,
    '(false)',
    [ofTerminal, 'whose payment is canceled ends with it'],
  ),
  stack(
    'what was unknown ends when it is known',
    terminalSql,
    `a.status in ('in_progress', 'unknown')`,
    `a.status = 'in_progress'`,
    [ofTerminal, 'with a late approval'],
  ),
  stack(
    'a reader is free once its time is over',
    'functions/in-person/terminal/plan.ts',
    `action.status === 'in_progress' && action.expiresAt <= now`,
    'false',
    [ofTerminal, 'with a late approval'],
  ),
  stack(
    'no card in time is no decline',
    'functions/money/payments/plan-outcome.ts',
    `if (hasFlow(attempt.method, 'presented') && ends !== 'declined') {`,
    'if (false) {',
    [ofTerminal, 'times out at its deadline'],
  ),
  stack(
    'a reader that is unpaired meanwhile takes nothing',
    'functions/in-person/terminal/plan.ts',
    `{ status: 'paired', pairingsCount: reader.pairingsCount }`,
    '{}',
    [ofTerminal, 'is refused by a reader that is unpaired meanwhile'],
  ),
  stack(
    'the first result of a reader counts',
    'functions/in-person/terminal/plan.ts',
    'if (action.reportedAs !== outcome)',
    'if (false)',
    [ofTerminal, 'reports a result once'],
  ),
  stack(
    'a reader sees the actions of its pairing alone',
    'functions/in-person/terminal/store.ts',
    '        eq(readerActions.pairing, devices.pairingsCount),\n',
    '',
    [ofTerminal, 'sees neither the actions of others'],
  ),
  stack(
    'the simulator reads no card after the time',
    'drizzle/sql/sandbox/100_simulator.sql',
    ` and state = 'presented' and expires_at > now()`,
    ` and state = 'presented'`,
    [ofTerminal, 'times out at its deadline'],
  ),
  stack(
    'what is unknown at a reader is no decline',
    'functions/in-person/terminal/present.ts',
    "    case 'unknown':\n      return actionStatus\n",
    "      return actionStatus\n    case 'unknown':\n      return 'declined'\n",
    [ofInPerson, 'is unknown, and no decline'],
  ),
  stack(
    'a manual capture at a reader authorizes alone',
    'functions/in-person/terminal/plan.ts',
    'captureMethod: asked.capture_method,',
    "captureMethod: 'automatic',",
    [ofInPerson, 'is captured later'],
  ),
  stack(
    'the simulator captures no manual card that is presented',
    'drizzle/sql/sandbox/100_simulator.sql',
    `case when p->>'state' = 'captured' and capture = 'manual' then 'authorized' else p->>'state' end`,
    `p->>'state'`,
    [ofInPerson, 'is captured later'],
  ),
  stack(
    'a reader that was canceled by its payment shows it at once',
    'functions/in-person/terminal/plan.ts',
    `paid.status === 'canceled' && sale.actionStatus !== 'succeeded' ? 'canceled' : sale.actionStatus`,
    'sale.actionStatus',
    [ofInPerson, 'and its action with it'],
  ),
  stack(
    'a sale has one name for each reader and day',
    migration,
    'CREATE UNIQUE INDEX "in_person_payments_reference"',
    'CREATE INDEX "in_person_payments_reference"',
    [ofInPerson, 'is one sale when 50 ask at once'],
  ),
  stack(
    'a name of today is not one of yesterday',
    'functions/in-person/terminal/store.ts',
    "        sql`${mexicoCityDay(inPersonPayments.createdAt)} = ${slot('day')}::date`,\n",
    '',
    [ofInPerson, 'is another sale at another reader, and another day'],
  ),
  stack(
    'a name hides no second sale',
    'functions/in-person/terminal/plan.ts',
    'if (!isSame) return',
    'if (false) return',
    [ofInPerson, 'is of one sale'],
  ),
  stack(
    'a device has one connection token at a time',
    migration,
    'CREATE UNIQUE INDEX "connection_tokens_one"',
    'CREATE INDEX "connection_tokens_one"',
    [ofTokens, 'opens nothing once another was made'],
  ),
  stack(
    'a connection token is redeemed once',
    'functions/in-person/tap-to-pay/plan.ts',
    `if (token.status === 'redeemed') return refuse('connection_token_redeemed')`,
    '',
    [ofTokens, 'is redeemed once'],
  ),
  stack(
    'a connection token ends',
    'functions/in-person/tap-to-pay/plan.ts',
    'token.expiresAt <= now',
    'false',
    [ofTokens, 'ends after ten minutes'],
  ),
  stack(
    'a connection token is of one pairing',
    'functions/in-person/tap-to-pay/store.ts',
    '        eq(devices.pairingsCount, connectionTokens.pairing),\n',
    '',
    [ofTokens, 'ends after ten minutes'],
  ),
  stack(
    'a connection token is of its phone',
    'functions/in-person/tap-to-pay/store.ts',
    `        eq(deviceCredentials.kid, slot('kid')),\n`,
    '',
    [ofTokens, 'is redeemed by its own phone alone'],
  ),
  stack(
    'a connection token is of the place of its phone',
    'functions/in-person/tap-to-pay/plan.ts',
    'phone.locationId !== location.id',
    'false',
    [ofTokens, 'is not made without a bearer'],
  ),
]
