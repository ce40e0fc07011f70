import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readKey, stateOfKey, stateOfKeys, warningOfKey } from './key.rules'
import { makeCertificate } from '../channel/testing.certificate'

const NOW = new Date('2026-11-22T04:00:00Z')
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000)
const { privateKey, publicKey, certificate } = makeCertificate('aisle test', inDays(400))
/** Made before any test begins: on a busy machine keys take longer than a test has. */
const short = makeCertificate('short', inDays(9), 1_024)
const ended = [NOW, inDays(-1)].map((end) => makeCertificate('ended', end))
const named = makeCertificate(['one', 'x'.repeat(400)], inDays(9))
const bare = (pem: string) => pem.replace(/-----[A-Z ]+-----|\n/g, '')
const read = (...[kind, text, serial = '']: [Parameters<typeof readKey>[0], string, string?]) =>
  readKey(kind, text, serial, NOW)

test('a private key is read with and without the lines of PEM, and has the fingerprint of its certificate', () => {
  const key = read('private_key', privateKey)
  const fingerprint: unknown = expect.stringMatching(/^[0-9A-F]{4}( [0-9A-F]{4}){3}$/)
  const unnamed = { serial: '', subject: '', validUntil: null }
  expect(key).toEqual({ ...unnamed, kind: 'private_key', isSecret: true, text: privateKey, fingerprint })
  expect(read('private_key', bare(privateKey))).toEqual(key)
  expect(read('private_key', bare(privateKey).replace(/(.{64})/g, '$1\r\n'))).toEqual(key)
  // As older tools write it (PKCS #1); it is kept as all are.
  const older = createPrivateKey(privateKey).export({ type: 'pkcs1', format: 'pem' }).toString()
  expect([read('private_key', older), read('private_key', bare(older))]).toEqual([key, key])
  const proof = read('certificate', certificate)
  expect(proof).toMatchObject({ isSecret: false, serial: '1A2B3C4D5E6F', subject: 'CN=aisle test' })
  expect(proof).toMatchObject({ validUntil: inDays(400) })
  expect(typeof proof === 'object' && typeof key === 'object' && proof.fingerprint === key.fingerprint).toBe(true)
})

test('a public key of the provider is read bare or as a certificate, with the number that it is called by', () => {
  expect(read('provider_key', bare(publicKey), 'PUB_KEY_ID_1')).toMatchObject({
    text: publicKey,
    serial: 'PUB_KEY_ID_1',
  })
  expect(read('provider_key', certificate)).toMatchObject({ serial: '1A2B3C4D5E6F' })
})

test('a key unsealed where a public one belongs, too short, over, or no key at all is refused', () => {
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  expect([
    read('provider_key', privateKey),
    read('certificate', publicKey),
    read('private_key', publicKey),
    read('private_key', elliptic.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    read('provider_key', elliptic.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    read('certificate', ellipticCertificate),
    read('certificate', `-----BEGIN CERTIFICATE-----\n${bare(publicKey)}\n-----END CERTIFICATE-----`),
    read('private_key', 'no key at all'),
    read('private_key', `!${bare(privateKey)}`),
    read('private_key', `${bare(privateKey)}!`),
  ]).toEqual(Array.from({ length: 10 }, () => 'unreadable'))
  expect([
    read('private_key', short.privateKey),
    read('provider_key', short.publicKey),
    read('certificate', short.certificate),
  ]).toEqual(['weak', 'weak', 'weak'])
  expect(ended.map((each) => read('certificate', each.certificate))).toEqual(['expired', 'expired'])
})

test('the names in a certificate stand in one line that is not too long', () => {
  expect(read('certificate', named.certificate)).toMatchObject({
    subject: `CN=one, CN=${'x'.repeat(400)}`.slice(0, 300),
  })
})

test.each([
  ['abcdefghijklmnopqrstuvwxyz012345', true],
  [' abcdefghijklmnopqrstuvwxyz012345\n', true],
  ['abcdefghijklmnopqrstuvwxyz01234', false],
  ['abcdefghijklmnopqrstuvwxyz0123456', false],
  ['abcdefghijklmnopqrstuvwxyz 12345', false],
  ['abcdefghijklmnopqrstuvwxyz01234中', false],
])('an API key of 32 characters: %j', (text, isRead) => {
  const kept = {
    kind: 'api_key',
    text: text.trim(),
    isSecret: true,
    fingerprint: '653B B124 5E82 8FCD',
    serial: '',
    subject: '',
    validUntil: null,
  }
  expect(read('api_key', text)).toEqual(isRead ? kept : 'apiLength')
})

test('a certificate warns 30 days before its end; of several keys the worst counts', () => {
  const of = (days: number | null) => ({ validUntil: days === null ? null : inDays(days) })
  expect([undefined, of(null), of(31), of(30), of(29), of(0)].map((key) => stateOfKey(key, NOW))).toEqual([
    'missing',
    'complete',
    'complete',
    'complete',
    'expiring',
    'expired',
  ])
  const key = { kind: 'private_key' as const, ...of(null) }
  const their = { kind: 'provider_key' as const, ...of(20) }
  expect(stateOfKeys('alipay', [key, their], NOW)).toBe('expiring')
  expect(stateOfKeys('unionpay', [key, their], NOW)).toBe('missing')
})

test.each([
  [31, null],
  [30, 30],
  [8, 30],
  [7, 7],
  [2, 7],
  [1, 1],
  [0, 1],
  [-3, 1],
])('of a certificate that ends in %i days is warned at the threshold of %j', (daysLeft, threshold) => {
  expect(warningOfKey(daysLeft)).toBe(threshold)
})

/** Of an elliptic curve, which no provider signs with. */
const ellipticCertificate = `-----BEGIN CERTIFICATE-----
MIIBcDCCARWgAwIBAgIUdm0p6/yvkVBTO+JNBgSvccqZvsAwCgYIKoZIzj0EAwIw
DDEKMAgGA1UEAwwBZTAgFw0yNjExMjMwNzAzMjJaGA8yMTI2MTAzMDA3MDMyMlow
DDEKMAgGA1UEAwwBZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPLqet8lQnYk
MMHE77by1+12msE5wYnD+Nr6lE/bvhaHRj4N6W/JfzFKQv8aQT9iz9y3gjVZdDGt
adjjfD9RNzCjUzBRMB0GA1UdDgQWBBSFNfc/M5vKPAqNVGdg25zryuY30zAfBgNV
HSMEGDAWgBSFNfc/M5vKPAqNVGdg25zryuY30zAPBgNVHRMBAf8EBTADAQH/MAoG
CCqGSM49BAMCA0kAMEYCIQCMw51bxRXLVYVCr2mfyxbijYa3uHG4W/Lna3jFSY5S
qwIhAO1escOKdwWX5czOhSMfh5CZc3h3lH+Qd5mgsbZDDObf
-----END CERTIFICATE-----`
