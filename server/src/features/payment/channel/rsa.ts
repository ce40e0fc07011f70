import { createHash, createPrivateKey, createPublicKey, createSign, createVerify, type KeyObject } from 'node:crypto'

/** RSA with SHA-256 (PKCS #1 v1.5), as all three providers sign. */
export const signed = (privateKey: string, text: string): string =>
  createSign('RSA-SHA256').update(text, 'utf8').sign(read(privateKey, createPrivateKey), 'base64')

/** A key or signature that can't be read is no proof either. @param publicKey PEM of a public key or a certificate */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    return createVerify('RSA-SHA256').update(text, 'utf8').verify(read(publicKey, createPublicKey), signature, 'base64')
  } catch {
    return false
  }
}

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

/** The keys used last. Reading one costs more processor time than signing with it. */
const MOST_READ = 64
const lastRead = new Map<string, KeyObject>()

function read(pem: string, from: (pem: string) => KeyObject): KeyObject {
  const name = sha256(pem)
  const key = lastRead.get(name) ?? from(pem)
  lastRead.delete(name)
  lastRead.set(name, key)
  const [oldest] = lastRead.keys()
  if (lastRead.size > MOST_READ && oldest !== undefined) lastRead.delete(oldest)
  return key
}
