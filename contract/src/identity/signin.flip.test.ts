import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  authMessage,
  b64u,
  checkServerSignature,
  clientProof,
  defaultKdf,
  type Kdf,
  keysFrom,
  normaliseAccount,
  parsePasswordField,
  passwordField,
  serverSignature,
  verifyProof,
} from './signin.ts'

/** The algebra is the same whatever made the salted password, so no argon2 runs here. */
const keys = keysFrom(sha256(utf8ToBytes('a salted password')))
const accounts = ['张伟', 'John.Smith', 'E\u0301lodie', '김철수'.normalize('NFD')]
const am = authMessage({
  origin: 'https://aisle.example',
  account: '张伟',
  cid: '-OT_VHMEdp1oFAhXprezXA',
  checkCode: 'K7Q2',
  cnonce: 'PoC3X8MP2xcAFYlt7_-F5Q',
  snonce: 'EG2ZM5oz9n-N_CyHpcZOiw',
  salt: 'K8mQBZRzRI5uvUQqoWv6oA',
  kdf: defaultKdf,
})
const proof = clientProof(keys, am)
const isAccepted = (message: Uint8Array, sent: Uint8Array) => verifyProof(keys.storedKey, message, sent)

const bitsOf = (bytes: Uint8Array) => Array.from({ length: bytes.length * 8 }, (_, bit) => bit)
const flipBit = (bytes: Uint8Array, bit: number) =>
  bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
/** Flips in the UTF-8 bytes; what is no UTF-8 any more becomes U+FFFD, as it would on the wire. */
function flipText(text: string, bit: number): string {
  const bytes = utf8ToBytes(text)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(flipBit(bytes, bit % (8 * bytes.length)))
}

const random128 = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(b64u)
const anyFields = fc.record({
  origin: fc.webUrl().map((url) => new URL(url).origin),
  account: fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.constantFrom(...accounts)),
  cid: random128,
  checkCode: fc.string({ unit: fc.constantFrom(...'ABCDEFGHJKMNPQRSTUVWXYZ23456789'), minLength: 4, maxLength: 4 }),
  cnonce: random128,
  snonce: random128,
  salt: random128,
  kdf: fc.constant(defaultKdf),
})
const runs = { numRuns: 5_000, seed: Number(process.env.SEED ?? 1) }

describe('every bit of one sign-in', () => {
  test('of the message and of the proof', () => {
    expect(isAccepted(am, proof)).toBe(true)
    expect(bitsOf(am).filter((bit) => isAccepted(flipBit(am, bit), proof))).toEqual([])
    expect(bitsOf(proof).filter((bit) => isAccepted(am, flipBit(proof, bit)))).toEqual([])
  })

  test('of the stored key, the server key and the server signature', () => {
    const { storedKey, serverKey } = keys
    const signature = serverSignature(serverKey, am)
    expect(checkServerSignature(serverKey, am, signature)).toBe(true)
    expect(bitsOf(storedKey).filter((bit) => verifyProof(flipBit(storedKey, bit), am, proof))).toEqual([])
    expect(bitsOf(serverKey).filter((bit) => checkServerSignature(flipBit(serverKey, bit), am, signature))).toEqual([])
    expect(bitsOf(signature).filter((bit) => checkServerSignature(serverKey, am, flipBit(signature, bit)))).toEqual([])
    expect(bitsOf(am).filter((bit) => checkServerSignature(serverKey, flipBit(am, bit), signature))).toEqual([])
  })

  test('a proof of the wrong length, or the stored key in place of the proof, is not accepted either', () => {
    const wrong = [new Uint8Array(), proof.slice(0, 31), Uint8Array.of(...proof, 0), keys.storedKey, new Uint8Array(32)]
    expect(wrong.filter((sent) => isAccepted(am, sent))).toEqual([])
    expect(verifyProof(new Uint8Array(), am, proof)).toBe(false)
    expect(checkServerSignature(keys.serverKey, am, new Uint8Array())).toBe(false)
  })
})

describe('any bit of any sign-in is never accepted flipped', () => {
  test('in the origin, cid, nonces or salt', () => {
    const names = fc.constantFrom('origin', 'cid', 'cnonce', 'snonce', 'salt')
    fc.assert(
      fc.property(anyFields, names, fc.nat(), (fields, name, bit) => {
        const signed = authMessage(fields)
        const sent = clientProof(keys, signed)
        expect(isAccepted(signed, sent)).toBe(true)
        expect(isAccepted(authMessage({ ...fields, [name]: flipText(fields[name], bit) }), sent)).toBe(false)
      }),
      runs,
    )
  })

  test('in the account or the code, unless it still means the same (letter case)', () => {
    fc.assert(
      fc.property(anyFields, fc.constantFrom('account', 'checkCode'), fc.nat(), (fields, name, bit) => {
        const changed = { ...fields, [name]: flipText(fields[name], bit) }
        const meansTheSame =
          normaliseAccount(changed.account) === normaliseAccount(fields.account) &&
          changed.checkCode.toUpperCase() === fields.checkCode
        const sent = clientProof(keys, authMessage(fields))
        expect(isAccepted(authMessage(changed), sent)).toBe(meansTheSame)
      }),
      runs,
    )
  })

  test('in the numbers of the kdf', () => {
    fc.assert(
      fc.property(anyFields, fc.constantFrom('m', 't', 'p'), fc.nat({ max: 31 }), (fields, name, bit) => {
        const kdf: Kdf = { ...defaultKdf, [name]: (defaultKdf[name] ^ (1 << bit)) >>> 0 }
        const sent = clientProof(keys, authMessage(fields))
        expect(isAccepted(authMessage({ ...fields, kdf }), sent)).toBe(false)
      }),
      runs,
    )
  })

  test('in the proof, or in the password field that carries it', () => {
    fc.assert(
      fc.property(anyFields, fc.nat({ max: 255 }), fc.nat(), (fields, proofBit, fieldBit) => {
        const message = authMessage(fields)
        const sent = clientProof(keys, message)
        expect(isAccepted(message, flipBit(sent, proofBit))).toBe(false)
        const parsed = parsePasswordField(flipText(passwordField(fields.cid, sent), fieldBit))
        expect(parsed?.cid === fields.cid && isAccepted(message, parsed.proof)).toBe(false)
      }),
      runs,
    )
  })
})
