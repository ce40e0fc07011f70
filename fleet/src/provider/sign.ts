import {
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** The provider's side of each signature, written from the providers' papers and not from the server's code. */
export const sign = (privateKey: string, text: string): string =>
  createSign('RSA-SHA256').update(text, 'utf8').sign(read(privateKey, createPrivateKey), 'base64')

export function verify(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = read(publicKey, createPublicKey)
    return createVerify('RSA-SHA256').update(text, 'utf8').verify(key, signature, 'base64')
  } catch {
    return false
  }
}

/** Reading a key costs more than using it, and there are a handful. */
const known = new Map<string, KeyObject>()

function read(pem: string, from: (pem: string) => KeyObject): KeyObject {
  const key = known.get(pem) ?? from(pem)
  known.set(pem, key)
  return key
}

export const nonce = (): string => randomBytes(16).toString('hex')

/** WeChat: AEAD_AES_256_GCM, the tag behind the text. */
export function sealed(apiKey: string, text: string, about: string): Record<string, string> {
  const iv = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(apiKey), Buffer.from(iv)).setAAD(Buffer.from(about))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { algorithm: 'AEAD_AES_256_GCM', ciphertext: body.toString('base64'), nonce: iv, associated_data: about }
}

/** Sorted by name and joined; Alipay and UnionPay sign this, without what is empty. */
export function sortedText(fields: Readonly<Record<string, string>>, without: readonly string[]): string {
  const names = Object.keys(fields).filter((name) => fields[name] !== '' && !without.includes(name))
  return names
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
}

/** UnionPay 5.1.0 signs the hex digest of the text. */
export const unionPayDigest = (fields: Readonly<Record<string, string>>): string =>
  createHash('sha256')
    .update(sortedText(fields, ['signature']), 'utf8')
    .digest('hex')
