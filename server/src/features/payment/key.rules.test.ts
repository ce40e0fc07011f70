import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readKey, stateOfKey, stateOfKeys } from './key.rules'
import { makeCertificate } from './testing.certificate'

const NOW = new Date('2026-11-22T04:00:00Z')
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000)
const { privateKey, publicKey, certificate } = makeCertificate('aisle test', inDays(400))
const bare = (pem: string) => pem.replace(/-----[A-Z ]+-----|\n/g, '')
const read = (...[kind, text, serial = '']: [Parameters<typeof readKey>[0], string, string?]) =>
  readKey(kind, text, serial, NOW)

test('a private key is read with and without the lines of PEM, and has the fingerprint of its certificate', () => {
  const key = read('private_key', privateKey)
  expect(key).toMatchObject({ isSecret: true, text: privateKey, fingerprint: expect.stringMatching(/^[0-9A-F ]{19}$/) })
  expect(read('private_key', bare(privateKey))).toEqual(key)
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
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const ended = makeCertificate('ended', inDays(-1))
  const short = makeCertificate('short', inDays(9), 1_024)
  expect([
    read('provider_key', privateKey),
    read('certificate', publicKey),
    read('private_key', publicKey),
    read('private_key', elliptic.export({ type: 'pkcs8', format: 'pem' }).toString()),
    read('private_key', 'no key at all'),
    read('private_key', short.privateKey),
    read('certificate', short.certificate),
    read('certificate', ended.certificate),
  ]).toEqual(['unreadable', 'unreadable', 'unreadable', 'unreadable', 'unreadable', 'weak', 'weak', 'expired'])
})

test.each([
  ['abcdefghijklmnopqrstuvwxyz012345', true],
  ['abcdefghijklmnopqrstuvwxyz01234', false],
  ['abcdefghijklmnopqrstuvwxyz 12345', false],
  ['abcdefghijklmnopqrstuvwxyz01234中', false],
])('an API key of 32 characters: %s', (text, isRead) => {
  expect(typeof read('api_key', text) === 'object').toBe(isRead)
})

test('a certificate warns 30 days before its end; of several keys the worst counts', () => {
  const of = (days: number | null) => ({ validUntil: days === null ? null : inDays(days) })
  expect([undefined, of(null), of(31), of(29), of(0)].map((key) => stateOfKey(key, NOW))).toEqual([
    'missing',
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
