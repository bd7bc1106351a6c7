import { authorize, type Mutant, stack, unit } from './mutant.ts'

const sql = 'drizzle/sql/059_devices.sql'
const credentials = 'integration/devices/credentials.test.ts'
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
]
