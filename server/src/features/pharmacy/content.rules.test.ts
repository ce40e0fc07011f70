import { expect, test } from 'vitest'
import type { AuthKeys } from '../../kernel/context'
import { contentHash, type Decision, isSignature, personHash, type SignedContent, signatureOf } from './content.rules'

const bytes = (text: string) => Buffer.from(text)
const keys: AuthKeys = {
  id: 'one',
  auth: bytes('a key of thirty-two bytes, no less'),
  salt: bytes('salt'),
  fake: bytes('fake'),
  device: bytes('device'),
}
const line = { productId: 1, quantity: 2, dose: 1, timesADay: 3, days: 4, usage: 'after meals' }
const content: SignedContent = {
  code: 'RX1',
  doctorId: 1,
  hospitalId: 2,
  department: 'ENT',
  patientNameHash: bytes('name'),
  patientIdHash: bytes('id'),
  sex: 'female',
  birthYear: 1980,
  patientFacts: ['pregnant', 'smoker'],
  allergies: ['penicillin', 'aspirin'],
  condition: 'cough',
  advice: 'rest',
  uses: 1,
  intervalDays: 0,
  lines: [line],
}
const hash = (more: Partial<SignedContent> = {}) => contentHash({ ...content, ...more }).toString('hex')

test.each<Partial<SignedContent>>([
  { code: 'RX2' },
  { doctorId: 2 },
  { hospitalId: null },
  { department: 'GP' },
  { patientNameHash: bytes('other') },
  { patientIdHash: bytes('other') },
  { patientIdHash: null },
  { sex: 'male' },
  { birthYear: 1981 },
  { patientFacts: ['pregnant'] },
  { allergies: [] },
  { condition: 'cold' },
  { advice: '' },
  { uses: 2 },
  { intervalDays: 7 },
  { lines: [] },
  { lines: [line, line] },
  { lines: [{ ...line, productId: 2 }] },
  { lines: [{ ...line, quantity: 3 }] },
  { lines: [{ ...line, dose: 2 }] },
  { lines: [{ ...line, timesADay: 1 }] },
  { lines: [{ ...line, days: 5 }] },
  { lines: [{ ...line, usage: 'before meals' }] },
])('a change to %o is another content', (change) => expect(hash(change)).not.toBe(hash()))

test('the order in which facts and allergies were ticked is no part of it', () => {
  expect(hash({ patientFacts: ['smoker', 'pregnant'], allergies: ['aspirin', 'penicillin'] })).toBe(hash())
  expect(hash()).toMatch(/^[0-9a-f]{64}$/)
})

/** What was signed before this release is read by it: these bytes may never change. */
test('a content and a decision have the hash and signature that are in the database already', () => {
  expect(hash()).toBe('ca6c95cebfac2c1b1bd3e6ac06aec42921aff1df2ff4f29cf75dee7543d30d72')
  expect(signatureOf(keys, decision).toString('hex')).toBe(
    '334268a2f7e4c83f8e4c384be427d02112f007bb3beed33f47e3b3a016a9719e',
  )
  expect(personHash(keys, 'name', 'Li').toString('hex')).toBe(
    'c995473050134b2e8a2230bf6b53138ab7bd7cafe050fefb050b8a19803d9cbf',
  )
})

const decision: Decision = {
  contentHash: bytes('hash'),
  verb: 'approve',
  userId: 1,
  at: new Date('2026-11-20T04:00:00Z'),
  reason: '',
}

test.each<Partial<Decision>>([
  { contentHash: bytes('hasi') },
  { verb: 'reject' },
  { userId: 2 },
  { at: new Date('2026-11-20T04:00:01Z') },
  { reason: 'x' },
])('a signature of one decision is none of another with %o', (change) => {
  const signature = signatureOf(keys, decision)
  expect(isSignature(keys, decision, signature)).toBe(true)
  expect(isSignature(keys, { ...decision, ...change }, signature)).toBe(false)
})

test('a signature under another key, or cut short, is none', () => {
  const signature = signatureOf(keys, decision)
  expect(isSignature({ ...keys, auth: bytes('another key of thirty-two bytes') }, decision, signature)).toBe(false)
  expect(isSignature(keys, decision, signature.subarray(1))).toBe(false)
  expect(isSignature(keys, decision, Buffer.alloc(0))).toBe(false)
})

test('a person is found by name or number however it was typed, and by no other', () => {
  const of = (kind: 'name' | 'id', text: string) => personHash(keys, kind, text).toString('hex')
  expect(of('id', ' 11010519491231002x ')).toBe(of('id', '11010519491231002X'))
  expect(of('id', '1')).not.toBe(of('name', '1'))
  expect(of('name', 'a b')).not.toBe(of('name', 'ab'))
  expect(personHash({ ...keys, id: 'two' }, 'name', 'Li')).not.toEqual(personHash(keys, 'name', 'Li'))
})
