import { argon2id } from '@noble/hashes/argon2.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/*
 * Sign-in "vend-login v1" (docs/decisions/0004): SCRAM-SHA-256 (RFC 5802, RFC 7677) with argon2id for PBKDF2 and with
 * the check code in the signed message. Both sides import this file. It has no state: single use, expiry and
 * throttling belong to the server.
 */

const keyLength = 32
const saltLength = 16

/** `m` in KiB, `t` passes, `p` lanes, as RFC 9106 names them. */
export type Kdf = { a: 'argon2id'; m: number; t: number; p: number }

export const defaultKdf: Kdf = { a: 'argon2id', m: 19456, t: 2, p: 1 }

export const kdfText = (kdf: Kdf): string => [kdf.a, kdf.m, kdf.t, kdf.p].join(',')

/** Below the floor a rogue server weakens the password; above the ceiling (256 MiB, 10 passes) it stalls the client. */
export function isKdfStrongEnough({ a, m, t, p }: Kdf): boolean {
  if (a !== 'argon2id' || p !== 1 || !Number.isInteger(m) || !Number.isInteger(t)) return false
  if (m > 262_144 || t > 10) return false
  return (m >= 19_456 && t >= 2) || (m >= 47_104 && t >= 1)
}

/** base64url without padding (RFC 4648 §5). */
export function b64u(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Takes only what `b64u` writes: padding, spaces or stray last bits are a RangeError, so bytes have one spelling. */
export function fromB64u(text: string): Uint8Array {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) throw new RangeError('not base64url')
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
  if (b64u(bytes) !== text) throw new RangeError('not canonical base64url')
  return bytes
}

/** Four bytes of big-endian length, then the bytes (a text is its UTF-8): fields cannot run into each other. */
export function lp(field: string | Uint8Array): Uint8Array {
  const bytes = typeof field === 'string' ? utf8ToBytes(field) : field
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, bytes.length)
  return concatBytes(length, bytes)
}

/**
 * Normalising twice changes nothing. That takes the second NFKC: a capital may have no composed form where its small
 * letter has one (J̌ and ǰ), and then one side would sign another name than the other.
 */
export const normaliseAccount = (text: string): string => text.normalize('NFKC').trim().toLowerCase().normalize('NFKC')

/** UTF-8 of the NFC form, never truncated. 1 to 256 code points of that form, else a RangeError. */
export function passwordBytes(password: string): Uint8Array {
  const composed = password.normalize('NFC')
  const length = [...composed].length
  if (length < 1 || length > 256) throw new RangeError('a password has 1 to 256 characters')
  return utf8ToBytes(composed)
}

/** `clientKey` signs in, so it is never stored or sent. The server keeps the other two, encrypted. */
export type Keys = { clientKey: Uint8Array; storedKey: Uint8Array; serverKey: Uint8Array }

/** RFC 5802 §3 from SaltedPassword on, with the hash of RFC 7677. */
export function keysFrom(saltedPassword: Uint8Array): Keys {
  const clientKey = hm(saltedPassword, utf8ToBytes('Client Key'))
  return { clientKey, storedKey: sha256(clientKey), serverKey: hm(saltedPassword, utf8ToBytes('Server Key')) }
}

/**
 * Blocks for 0.15 s or more: in a browser, call it in a Worker. A salt that is not 16 bytes or a kdf that is not
 * strong enough is a RangeError, so no caller can forget the downgrade guard.
 */
export function deriveKeys(password: string, salt: Uint8Array, kdf: Kdf): Keys {
  if (!isKdfStrongEnough(kdf)) throw new RangeError(`kdf outside the limits: ${kdfText(kdf)}`)
  if (salt.length !== saltLength) throw new RangeError(`a salt has ${saltLength} bytes`)
  const { m, t, p } = kdf
  return keysFrom(argon2id(passwordBytes(password), salt, { m, t, p, version: 0x13, dkLen: keyLength }))
}

/** What sets a password without showing it. `salt`, `storedKey` and `serverKey` are b64u texts. */
export type Verifier = { v: 1; kdf: Kdf; salt: string; storedKey: string; serverKey: string }

/** `v1.argon2id,<m>,<t>,<p>.<salt>.<storedKey>.<serverKey>`: safe in a query, one spelling for one verifier. */
export const verifierText = ({ kdf, salt, storedKey, serverKey }: Verifier): string =>
  ['v1', kdfText(kdf), salt, storedKey, serverKey].join('.')

const verifierShape = /^v1\.argon2id,([1-9]\d{0,6}),([1-9]\d?),1\.([\w-]{22})\.([\w-]{43})\.([\w-]{43})$/

/** Null for anything but a verifier under a strong enough kdf; a plain password is null too. */
export function parseVerifier(text: string): Verifier | null {
  const [, m, t, salt = '', storedKey = '', serverKey = ''] = verifierShape.exec(text) ?? []
  const kdf: Kdf = { a: 'argon2id', m: Number(m), t: Number(t), p: 1 }
  if (!isKdfStrongEnough(kdf)) return null
  if (![salt, storedKey, serverKey].every(isB64u)) return null
  return { v: 1, kdf, salt, storedKey, serverKey }
}

/** `cid`, `cnonce`, `snonce` and `salt` are the b64u texts of the wire; `origin` is as `location.origin` gives it. */
export type AuthMessage = {
  origin: string
  account: string
  cid: string
  checkCode: string
  cnonce: string
  snonce: string
  salt: string
  kdf: Kdf
}

/**
 * RFC 5802's AuthMessage in bytes (docs/decisions/0004). The account is normalised and the code upper-cased here,
 * so either side may pass them as typed.
 */
export function authMessage(fields: AuthMessage): Uint8Array {
  const { origin, account, cid, checkCode, cnonce, snonce, salt, kdf } = fields
  const texts = [origin, normaliseAccount(account), cid, checkCode.toUpperCase(), cnonce, snonce, salt, kdfText(kdf)]
  return concatBytes(utf8ToBytes('vend-login-v1'), ...texts.map(lp))
}

/** RFC 5802 §3: ClientProof = ClientKey XOR ClientSignature. */
export const clientProof = (keys: Pick<Keys, 'clientKey' | 'storedKey'>, am: Uint8Array): Uint8Array =>
  xor(keys.clientKey, hm(keys.storedKey, am))

export const passwordField = (cid: string, proof: Uint8Array): string => `v1.${cid}.${b64u(proof)}`

/** False means that the other end does not know the verifier: the client must drop the session it was given. */
export const checkServerSignature = (serverKey: Uint8Array, am: Uint8Array, serverSig: Uint8Array): boolean =>
  equalBytes(serverSignature(serverKey, am), serverSig)

export function parsePasswordField(text: string): { cid: string; proof: Uint8Array } | null {
  const [, cid, proof] = /^v1\.([\w-]{1,64})\.([\w-]{43})$/.exec(text) ?? []
  if (!cid || !proof || !isB64u(proof)) return null
  return { cid, proof: fromB64u(proof) }
}

/** RFC 5802 §3, the server's check: H(ClientProof XOR ClientSignature) is StoredKey. */
export function verifyProof(storedKey: Uint8Array, am: Uint8Array, proof: Uint8Array): boolean {
  if (proof.length !== keyLength) return false
  return equalBytes(sha256(xor(proof, hm(storedKey, am))), storedKey)
}

export const serverSignature = (serverKey: Uint8Array, am: Uint8Array): Uint8Array => hm(serverKey, am)

/** Its time tells the lengths, which are no secret, and nothing about the bytes. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  return xor(a, b).reduce((seen, byte) => seen | byte, 0) === 0
}

const hm = (key: Uint8Array, message: Uint8Array): Uint8Array => hmac(sha256, key, message)

/** Of two equally long byte strings; the callers see to that. */
const xor = (a: Uint8Array, b: Uint8Array): Uint8Array => a.map((byte, i) => byte ^ (b[i] ?? 0))

function isB64u(text: string): boolean {
  try {
    return fromB64u(text).length > 0
  } catch {
    return false
  }
}
