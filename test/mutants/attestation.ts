import { exclusive, type Mutant, migration, stack, unit } from './mutant.ts'

const appAttest = 'src/attestation/app-attest.ts'
const play = 'src/attestation/play-integrity.ts'
const sql = 'drizzle/sql/059_attestation.sql'
const ofApple = 'attestation/app-attest.test.ts'
const ofPlay = 'attestation/play-integrity.test.ts'
const ofPhones = 'integration/attestation/attestation.test.ts'
const ofPlatforms = 'integration/attestation/platforms.test.ts'

/** What a phone proves of itself. */
export const attestation: readonly Mutant[] = [
  unit(
    'the nonce is of the challenge',
    appAttest,
    '!isSame(new Uint8Array(shown), joined(nonceHeader, nonce))',
    'false',
    [ofApple],
  ),
  unit(
    'the id is of the key',
    appAttest,
    "!isSame(keyId, bytesOf(said.key ?? '') ?? new Uint8Array())",
    'false',
    [ofApple],
  ),
  unit('the credential is the key', appAttest, '!isSame(data.credentialId, keyId)', 'false', [ofApple]),
  unit('an attestation is of the app', appAttest, '!isSame(data.appHash, await appHash(said))', 'false', [
    ofApple,
  ]),
  unit('a key is attested before it signs', appAttest, 'data.signCount !== 0 || known', 'known', [ofApple]),
  unit('a key is attested once', appAttest, 'data.signCount !== 0 || known', 'data.signCount !== 0', [
    ofApple,
  ]),
  unit(
    'live takes no build for development',
    appAttest,
    "(isLive && environment === 'development')",
    'false',
    [ofApple],
  ),
  unit('a certificate has its time', appAttest, 'now < notBefore || now > notAfter', 'now < notBefore', [
    ofApple,
  ]),
  unit('a certificate has begun', appAttest, 'now < notBefore || now > notAfter', 'now > notAfter', [
    ofApple,
  ]),
  unit(
    'who certifies may',
    appAttest,
    'issuer.getExtension(BasicConstraintsExtension)?.ca === true',
    'true',
    [ofApple],
  ),
  unit(
    'a certificate is signed',
    appAttest,
    '(await certificate.verify({ publicKey: issuer.publicKey, signatureOnly: true }).catch(() => false))',
    'true',
    [ofApple],
  ),
  unit(
    'an assertion is signed',
    appAttest,
    '!(await isSignedBy(bytesOf(known.publicKey)!, raw, nonce))',
    'false',
    [ofApple],
  ),
  unit('an assertion is of the app', appAttest, '!isSame(head.appHash, await appHash(said))', 'false', [
    ofApple,
  ]),
  unit(
    'a counter grows',
    appAttest,
    'head.signCount <= known.signCount',
    'head.signCount < known.signCount',
    [ofApple],
  ),
  unit('a token is of the challenge', play, 'asNonce(asked.nonce) !== challenge', 'false', [ofPlay]),
  unit('a token is asked by the app', play, 'asked.requestPackageName !== app.app', 'false', [ofPlay]),
  unit('a token is new', play, 'age <= tokenMinutes * 60_000 && age', 'age', [ofPlay]),
  unit('Google Play knows the app', play, "of.appRecognitionVerdict !== 'PLAY_RECOGNIZED'", 'false', [
    ofPlay,
  ]),
  unit('a token is of the package', play, 'of.packageName !== app.app', 'false', [ofPlay]),
  unit(
    'an app is signed by its certificate',
    play,
    '!digests.some((digest) => app.certificateDigests.includes(digest))',
    'false',
    [ofPlay],
  ),
  unit(
    'a phone is as it was made',
    play,
    "!textsOf(device.deviceRecognitionVerdict).includes('MEETS_DEVICE_INTEGRITY')",
    'false',
    [ofPlay],
  ),
  unit('a test of Google’s counts nothing in live', play, 'isTest && isLive', 'false', [ofPlay]),
  unit(
    'a phone of the sandbox has its key',
    'src/attestation/sandbox.ts',
    '!(await isSignedBy(point, signature, utf8(sandboxText(said))))',
    'false',
    [ofPlay],
  ),
  unit('a key asserts in the pairing in which it was attested', appAttest, '!known?.isOfPairing', '!known', [
    ofApple,
  ]),
  unit('a certificate that cannot be read is one that fails', appAttest, '.catch(unreadable)', '', [ofApple]),
  unit('a key of the sandbox has its length', 'src/attestation/sandbox.ts', 'point.length !== 65', 'false', [
    ofPlay,
  ]),
  stack(
    'a challenge attests once',
    migration,
    'CREATE UNIQUE INDEX "phone_attestations_one"',
    'CREATE INDEX "phone_attestations_one"',
    [ofPhones, 'takes no record without its challenge'],
  ),
  stack('a phone that must be attested is', sql, 'and d.attested_until > new.created_at', '', [
    ofPhones,
    'opens without an attestation until',
  ]),
  stack(
    'a phone tries twenty times within an hour',
    sql,
    "interval '1 hour') >= 20",
    "interval '1 hour') >= 2000",
    [ofPhones, 'tried twenty times within an hour'],
  ),
  stack('a challenge that was replaced is forgotten', sql, "when (new.status = 'replaced')", 'when (false)', [
    ofPhones,
    'is kept while it may be used',
  ]),
  stack(
    'a retry is of the same app',
    'functions/in-person/attestation/operations.ts',
    'before?.provider === body.provider && before.app === body.app',
    'before',
    [ofPhones, 'is used once'],
  ),
  {
    ...stack('thirty days are hours', migration, "interval '720 hours'", "interval '30 days'", [
      ofPhones,
      'counts thirty days in hours',
    ]),
    times: 2,
  },
  stack(
    'an app that is removed is of one platform',
    sql,
    "and d.attested_by = case new.platform when 'ios' then 'app_attest' else 'play_integrity' end",
    '',
    [ofPlatforms, 'an app of Android of that name changes nothing'],
  ),
  stack('an app that is removed attests nothing', sql, 'and d.attested_app = new.app', 'and false', [
    ofPlatforms,
    'is attested no more once its app is removed',
  ]),
  stack(
    'certificates that are set again attest anew',
    sql,
    `(new.status, new.certificate_digests, new.decryption_key, new.verification_key)
    is distinct from (old.status, old.certificate_digests, old.decryption_key, old.verification_key)`,
    'new.status <> old.status',
    [ofPlatforms, 'is attested no more once its app is removed'],
  ),
  stack(
    'a try expects its app as it was read',
    'functions/in-person/attestation/plan.ts',
    "[expect(phoneApps, app.id, { status: 'active', version: app.version })]",
    '[]',
    [ofPlatforms, 'while the try is recorded'],
  ),
  exclusive(
    'Stripe is asked for no phone that must be attested first',
    'functions/in-person/tap-to-pay/operations.ts',
    'settings?.isRequired && !isAttested(phone, call)',
    'false',
    ['integration/stripe-tap-to-pay.exclusive.test.ts', 'is asked of Stripe for no phone'],
  ),
  stack('live takes nothing by rule', sql, "new.provider = 'sandbox' or new.environment", 'new.environment', [
    ofPhones,
    'takes in live nothing by rule',
  ]),
  stack('the database counts keys', sql, 'a.sign_count >= new.sign_count', 'a.sign_count > new.sign_count', [
    ofPlatforms,
    'whose key was attested asserts',
  ]),
]
