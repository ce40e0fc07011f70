import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { KEY_WARNS_DAYS, type KeyKind, type KeyState, keysNeeded } from '@aisle/contract/payment/provider'
import type { Provider } from '@aisle/contract/payment/states'

const DAY_MS = 86_400_000
/** Below this no provider takes a key, and nobody should. */
const FEWEST_BITS = 2_048
/** WeChat's APIv3 key is an AES-256 key in as many characters. */
const API_KEY_LENGTH = 32

/** A key as it is kept: what is secret goes under the seal, what is public may be read. */
export type ReadKey = {
  kind: KeyKind
  /** PEM, or the API key itself. */
  text: string
  isSecret: boolean
  fingerprint: string
  serial: string
  subject: string
  validUntil: Date | null
}
export type KeyFault = 'unreadable' | 'weak' | 'expired' | 'apiLength'

/**
 * What somebody pasted, checked and written the way the rest of the program reads it: PKCS #8 for private keys, a
 * certificate or SPKI for public ones. Providers hand keys out with and without the lines of PEM around them.
 * @param serial of a public key without a certificate, as its provider calls it
 */
export function readKey(kind: KeyKind, pasted: string, serial: string, now: Date): ReadKey | KeyFault {
  const text = pasted.trim()
  if (kind === 'api_key') return readApiKey(text)
  if (kind === 'private_key') return readPrivateKey(text)
  return text.includes('BEGIN CERTIFICATE') ? readCertificate(kind, text, now) : readPublicKey(kind, text, serial)
}

function readApiKey(text: string): ReadKey | KeyFault {
  if (!/^[\x21-\x7e]+$/.test(text) || text.length !== API_KEY_LENGTH) return 'apiLength'
  return { ...bare('api_key', text, fingerprintOf(Buffer.from(text))), isSecret: true }
}

function readPrivateKey(text: string): ReadKey | KeyFault {
  const key = tried(
    () => createPrivateKey(text),
    ...derOf(text).flatMap((der) => [
      () => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
      () => createPrivateKey({ key: der, format: 'der', type: 'pkcs1' }),
    ]),
  )
  if (!key || key.asymmetricKeyType !== 'rsa') return 'unreadable'
  if (bitsOf(key) < FEWEST_BITS) return 'weak'
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  // Of its public side: the same for a key and the certificate that belongs to it.
  return { ...bare('private_key', pem, publicPrint(createPublicKey(key))), isSecret: true }
}

function readCertificate(kind: KeyKind, text: string, now: Date): ReadKey | KeyFault {
  const certificate = tried(() => new X509Certificate(text))
  if (!certificate || certificate.publicKey.asymmetricKeyType !== 'rsa') return 'unreadable'
  if (bitsOf(certificate.publicKey) < FEWEST_BITS) return 'weak'
  const validUntil = new Date(certificate.validTo)
  if (validUntil <= now) return 'expired'
  return {
    ...bare(kind, certificate.toString(), publicPrint(certificate.publicKey)),
    serial: certificate.serialNumber.toUpperCase(),
    subject: certificate.subject.replaceAll('\n', ', ').slice(0, 300),
    validUntil,
  }
}

function readPublicKey(kind: KeyKind, text: string, serial: string): ReadKey | KeyFault {
  const key = tried(
    () => createPublicKey(text),
    ...derOf(text).map((der) => () => createPublicKey({ key: der, format: 'der', type: 'spki' })),
  )
  // `createPublicKey` also takes a private key, which has no business to lie here unsealed.
  if (!key || text.includes('PRIVATE') || kind === 'certificate' || key.asymmetricKeyType !== 'rsa') return 'unreadable'
  if (bitsOf(key) < FEWEST_BITS) return 'weak'
  const pem = key.export({ type: 'spki', format: 'pem' }).toString()
  return { ...bare(kind, pem, publicPrint(key)), serial }
}

/** Of which nothing else is known. */
export const bare = (kind: KeyKind, text: string, fingerprint: string): ReadKey => ({
  kind,
  text,
  isSecret: false,
  fingerprint,
  serial: '',
  subject: '',
  validUntil: null,
})

/** Without PEM's lines the same base64 stands alone; white space in it is passed over. */
const derOf = (text: string): Buffer[] => (/^[A-Za-z0-9+/=\s]+$/.test(text) ? [Buffer.from(text, 'base64')] : [])

const bitsOf = (key: KeyObject): number => key.asymmetricKeyDetails?.modulusLength ?? 0

export const publicPrint = (key: KeyObject): string => fingerprintOf(key.export({ type: 'spki', format: 'der' }))

/** Enough of a hash to tell keys apart, and nothing to guess a key from. */
export const fingerprintOf = (bytes: Buffer): string =>
  createHash('sha256')
    .update(bytes)
    .digest('hex')
    .slice(0, 16)
    .toUpperCase()
    .replace(/(.{4})(?=.)/g, '$1 ')

function tried<T>(...ways: (() => T)[]): T | undefined {
  for (const way of ways) {
    try {
      return way()
    } catch {
      // Another way may read it.
    }
  }
  return undefined
}

export function stateOfKey(key: { validUntil: Date | null } | undefined, now: Date): KeyState {
  if (!key) return 'missing'
  if (!key.validUntil) return 'complete'
  if (key.validUntil <= now) return 'expired'
  return key.validUntil.getTime() - now.getTime() < KEY_WARNS_DAYS * DAY_MS ? 'expiring' : 'complete'
}

/** Days before its end at which a certificate is warned of, each once. */
export const keyWarnings = [30, 7, 1] as const

/**
 * The threshold that has been reached and not passed by another; the job may have missed days.
 * @param daysLeft whole days until its end
 */
export const warningOfKey = (daysLeft: number): (typeof keyWarnings)[number] | null =>
  keyWarnings.filter((days) => daysLeft <= days).at(-1) ?? null

const worst = ['expired', 'missing', 'expiring', 'complete'] as const

/** Of all keys that a provider asks for together. */
export function stateOfKeys(
  provider: Provider,
  keys: readonly { kind: KeyKind; validUntil: Date | null }[],
  now: Date,
): KeyState {
  const states = keysNeeded[provider].map((kind) =>
    stateOfKey(
      keys.find((key) => key.kind === kind),
      now,
    ),
  )
  return worst.find((state) => states.includes(state)) ?? 'complete'
}
