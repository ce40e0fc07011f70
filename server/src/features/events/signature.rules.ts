import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { SIGNATURE_LASTS_MS, signatureHeaders } from '@aisle/contract/events/open'

export type Signed = { key: number; atMs: number; nonce: string; signature: string }
export type Said = { method: string; url: string; headers: Readonly<Record<string, string>>; body: string }

/** @returns null where a part is missing or has not its shape */
export function readSigned(headers: Readonly<Record<string, string>>): Signed | null {
  const [key = '', timestamp = '', nonce = '', signature = ''] = [
    headers[signatureHeaders.key],
    headers[signatureHeaders.timestamp],
    headers[signatureHeaders.nonce],
    headers[signatureHeaders.signature],
  ]
  const isWhole = /^\d{1,15}$/.test(key) && /^\d{13}$/.test(timestamp) && /^[A-Za-z0-9_-]{8,64}$/.test(nonce)
  if (!isWhole || !/^[0-9a-f]{64}$/.test(signature)) return null
  return { key: Number(key), atMs: Number(timestamp), nonce, signature }
}

/** What is signed: each part in a line of its own, the body by its hash, so that nothing can be moved between parts. */
export const signedText = (
  { method, url, body }: Omit<Said, 'headers'>,
  { atMs, nonce }: { atMs: number; nonce: string },
) => [method, url, String(atMs), nonce, createHash('sha256').update(body).digest('hex')].join('\n')

export const signatureOf = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex')

/** In the same time whatever is wrong. */
export const isSignedBy = (secret: string, text: string, signature: string): boolean =>
  timingSafeEqual(Buffer.from(signatureOf(secret, text)), Buffer.from(signature))

export const isFresh = (atMs: number, now: Date): boolean => Math.abs(now.getTime() - atMs) <= SIGNATURE_LASTS_MS
