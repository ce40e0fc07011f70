import { generateKeyPairSync } from 'node:crypto'

export type Provider = 'wechat' | 'alipay' | 'unionpay'

/** One that signs in at a provider: the public side of its key, and the numbers it is known by. */
export type Party = {
  appId: string
  /** mchid, PID or merId; sub-merchants of it need no entry. */
  number: string
  serial: string
  publicKey: string
  /** WeChat's APIv3 key, 32 characters. */
  apiKey: string
}

/** The stand-in's own keys, and who may speak with it. Lies beside the fleet file of a demo. */
export type ProviderFile = {
  keys: Record<Provider, { serial: string; privateKey: string; publicKey: string }>
  parties: Record<Provider, Party[]>
  /** Who tells the regulator's platform of trace codes: the secret of each enterprise's number. */
  enterprises?: Record<string, string>
  /** Who has merchants paid out by the bank: the secret of each customer's number. */
  customers?: Record<string, string>
}

/** A key that no party has, for what is to be forged. One serves a process: to find another costs a quarter second. */
export const strangersKey = (): string => (stranger ??= newKey())

let stranger: string | undefined

const newKey = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey
