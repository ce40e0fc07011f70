import { createDecipheriv } from 'node:crypto'
import { isSignedBy, signed } from './rsa'

/** WeChat Pay API v3: what is signed, each part ended by a line break (pay.weixin.qq.com, wechatpay4_0 and 4_1). */
const lines = (...parts: string[]): string => parts.map((part) => `${part}\n`).join('')

export type Signer = { mchId: string; serial: string; privateKey: string }
type Asked = { method: string; path: string; body: string; timestamp: number; nonce: string }

/** The `Authorization` header of a request. @param asked `path` with its query */
export function authorization({ mchId, serial, privateKey }: Signer, asked: Asked): string {
  const { method, path, body, timestamp, nonce } = asked
  const signature = signed(privateKey, lines(method, path, String(timestamp), nonce, body))
  const parts = { mchid: mchId, nonce_str: nonce, signature, timestamp: String(timestamp), serial_no: serial }
  const text = Object.entries(parts).map(([name, value]) => `${name}="${value}"`)
  return `WECHATPAY2-SHA256-RSA2048 ${text.join(',')}`
}

type PlatformKey = { serial: string; key: string }
/** Older than this was recorded by somebody, and is not believed. */
const OLDEST_MS = 5 * 60_000

/** Answers and notifications are signed alike. @returns why it is not believed, null when it is */
export function distrust(
  headers: Readonly<Record<string, string>>,
  body: string,
  { serial, key }: PlatformKey,
  now: Date,
): string | null {
  const [timestamp, nonce] = [headers['wechatpay-timestamp'] ?? '', headers['wechatpay-nonce'] ?? '']
  const signature = headers['wechatpay-signature'] ?? ''
  if (signature === '' || nonce === '') return 'unsigned'
  if (headers['wechatpay-serial'] !== serial) return 'unknown serial'
  if (!/^\d{10}$/.test(timestamp) || Math.abs(now.getTime() - Number(timestamp) * 1000) > OLDEST_MS) return 'too old'
  return isSignedBy(key, lines(timestamp, nonce, body), signature) ? null : 'wrong signature'
}

export type Sealed = { ciphertext: string; nonce: string; associated_data?: string }

/** AEAD_AES_256_GCM: the last 16 bytes are the tag. @returns null when the key does not open it */
export function opened(apiKey: string, { ciphertext, nonce, associated_data = '' }: Sealed): string | null {
  try {
    const bytes = Buffer.from(ciphertext, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(apiKey), Buffer.from(nonce))
    decipher.setAuthTag(bytes.subarray(-16)).setAAD(Buffer.from(associated_data))
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
