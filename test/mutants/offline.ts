import { type Mutant, migration, stack } from './mutant.ts'

const planOffline = 'functions/in-person/offline/plan.ts'
const offlineSql = 'drizzle/sql/059_terminal_offline.sql'
const ofOffline = 'integration/terminal/offline.test.ts'
const ofBounds = 'integration/terminal/offline-bounds.test.ts'
const ofConfigurations = 'integration/terminal/configurations.test.ts'
const ofEntries = 'integration/terminal/offline-entries.test.ts'
const operations = 'functions/in-person/offline/operations.ts'
const ofRaces = 'integration/terminal/offline-races.test.ts'

/** What devices are configured to do, and what readers store while they have no network. */
export const offline: readonly Mutant[] = [
  stack(
    'an archived configuration is not newly named',
    'drizzle/sql/059_terminal_configurations.sql',
    `v_status <> 'active'`,
    'false',
    [ofConfigurations, 'none that is archived'],
  ),
  stack(
    'an archived configuration is not named by who came in between',
    'drizzle/sql/059_terminal_configurations.sql',
    'c.id = new.terminal_configuration_id for share',
    'c.id = new.terminal_configuration_id',
    [ofRaces, 'a configuration is archived'],
  ),
  stack(
    'a change of a configuration waits for who forwards, and sees the next allowance',
    offlineSql,
    'order by d.id for no key update',
    'order by d.id',
    [ofRaces, 'a reader forwards all and its configuration ends'],
  ),
  stack(
    'a reader that comes under a configuration waits for its change',
    offlineSql,
    'order by c.id for share',
    'order by c.id',
    [ofRaces, 'a reader names none itself'],
  ),
  stack(
    'what a device names comes before its location',
    'functions/in-person/configurations/store.ts',
    'coalesce(${devices.terminalConfigurationId}, ${locations.terminalConfigurationId})',
    'coalesce(${locations.terminalConfigurationId}, ${devices.terminalConfigurationId})',
    [ofConfigurations, 'the configuration that it names itself'],
  ),
  stack(
    'a configuration that takes nothing offline allows nothing',
    offlineSql,
    `and c.status = 'active' and c.offline_enabled`,
    'and true',
    [ofOffline, 'is nothing without a key'],
  ),
  stack(
    'what a reader has not signed is refused',
    planOffline,
    "return authentic.has(stored.id) ? null : ('signature_invalid' as const)",
    'return authentic.has(stored.id) ? null : null',
    [ofOffline, 'signed by another key'],
  ),
  stack(
    'no stored payment is above the most of one',
    offlineSql,
    'new.amount_minor <= a.amount_max_minor',
    'new.amount_minor > 0',
    [ofBounds, 'takes no amount above'],
  ),
  stack(
    'a reader stores no more than it may',
    migration,
    '"offline_allowances"."stored_minor" between 0 and "offline_allowances"."stored_amount_max_minor"',
    '"offline_allowances"."stored_minor" >= 0',
    [ofBounds, 'takes no amount above'],
  ),
  stack(
    'what a reader has used of its allowance stays used',
    offlineSql,
    'new.stored_minor < old.stored_minor',
    'false',
    [ofBounds, 'keeps what was forwarded, and what was allowed'],
  ),
  stack(
    'what was stored too long ago is refused',
    planOffline,
    'allowance.takesUntil <= now',
    'allowance.takesUntil.getTime() < 0',
    [ofOffline, 'ends with the hours'],
  ),
  stack(
    'what is declined afterwards is a loss',
    offlineSql,
    `where m.status in ('declined', 'canceled') and`,
    `where m.status in ('canceled') and`,
    [ofOffline, 'is a loss where the card is declined'],
  ),
  stack(
    'what the processor agrees to be declined is a loss',
    offlineSql,
    `coalesce(new.resolution, 'agreed') = 'agreed'`,
    'new.resolution is null',
    [ofOffline, 'is a loss where the processor reported another amount'],
  ),
  stack(
    'what a reader stored ends also where its card is forgotten',
    offlineSql,
    `and old.status in ('submitting', 'unknown')`,
    `and old.status <> 'amount_mismatch'`,
    [ofOffline, 'ends with its attempt'],
  ),
  stack(
    'what nobody has signed holds no name',
    planOffline,
    'isUnsigned(row) === (doubt !== null)',
    'row.id !== ""',
    [ofEntries, 'who only copied the credential'],
  ),
  stack(
    'a batch is judged by where it was taken',
    operations,
    'locationOf(body.payments, allowances) ?? device.locationId',
    'device.locationId',
    [ofEntries, 'each is judged by the policy of the location'],
  ),
  stack(
    'a policy that passes refuses nothing for ever',
    planOffline,
    'isRefusedBy(forwarding.platform, stored, forwarding) ?',
    'isRefusedBy(forwarding.policy, stored, forwarding) ?',
    [ofEntries, 'what the policy refuses now'],
  ),
  stack(
    'what is held back is not judged by a guess',
    operations,
    'planned.isHeldBack && !isCurrent',
    'planned.isHeldBack && isCurrent === null',
    [ofOffline, 'by the payment policy as it is now'],
  ),
]
