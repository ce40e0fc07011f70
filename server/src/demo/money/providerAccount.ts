import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import type { AuthKeys, Reader } from '../../kernel/context'
import { seal } from '../../kernel/seal'

type Party = { appId: string; number: string; serial: string; publicKey: string; apiKey: string }
/** What the stand-in is started with (fleet/src/provider): its own keys, and who may speak with it. */
export type ProviderFile = {
  keys: Record<Provider, { serial: string; privateKey: string; publicKey: string }>
  parties: Record<Provider, Party[]>
  /** The secrets of those who tell the regulator's platform of trace codes, by their numbers. */
  enterprises: Record<string, string>
  /** The secrets of those who have merchants paid out by the bank, by their numbers. */
  customers: Record<string, string>
}

/** @param bits of each RSA key; tests that sign thousands of times take shorter ones */
export const newProviderFile = (bits = BITS): ProviderFile => ({
  keys: { wechat: newOwn(bits), alipay: newOwn(bits), unionpay: newOwn(bits) },
  parties: { wechat: [], alipay: [], unionpay: [] },
  enterprises: {},
  customers: {},
})

const BITS = 2048

const newOwn = (bits: number) => ({ serial: newSerial(), ...newKeyPair(bits) })

const newKeyPair = (bits: number): { privateKey: string; publicKey: string } =>
  generateKeyPairSync('rsa', {
    modulusLength: bits,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })

const newSerial = (): string => randomBytes(20).toString('hex').toUpperCase()

type NewProviderAccount = {
  merchantId: number
  provider: Provider
  name: string
  appId: string
  providerNo: string
  gateway: string
  at: Date
  bits?: number
}

/**
 * An account at the stand-in of the demo and of tests: its keys are made here, sealed here, and told to the stand-in by
 * their public sides.
 */
export async function addProviderAccount(
  db: Reader,
  keys: AuthKeys,
  file: ProviderFile,
  account: NewProviderAccount,
): Promise<number> {
  const { merchantId, provider, name, appId, providerNo, gateway, at, bits = BITS } = account
  const token = randomBytes(18).toString('base64url')
  const made = await sql<{ id: number }>`insert into provider_account
      (merchant_id, provider, name, environment, app_id, provider_no, gateway, token, created_at)
    values (${merchantId}, ${provider}, ${name}, 'sandbox', ${appId}, ${providerNo}, ${gateway}, ${token}, ${at})
    returning id`.execute(db)
  const id = made.rows[0]?.id ?? 0
  const { privateKey, publicKey } = newKeyPair(bits)
  const serial = newSerial()
  const apiKey = randomBytes(16).toString('hex')
  const own = file.keys[provider]
  const kept = [
    { kind: 'private_key', text: privateKey, print: printOf(publicKey), serial: '' },
    { kind: 'certificate', text: publicKey, print: printOf(publicKey), serial },
    { kind: 'provider_key', text: own.publicKey, print: printOf(own.publicKey), serial: own.serial },
    ...(provider === 'wechat' ? [{ kind: 'api_key', text: apiKey, print: shortened(apiKey), serial: '' }] : []),
  ]
  for (const { kind, text, print, serial: number } of kept) {
    const isSecret = kind === 'private_key' || kind === 'api_key'
    const sealed = isSecret ? seal(keys, `provider:${id}:${kind}`, text) : null
    await sql`insert into provider_key (provider_account_id, kind, sealed, pem, fingerprint, serial, set_at)
      values (${id}, ${kind}, ${sealed}, ${isSecret ? null : text}, ${print}, ${number}, ${at})`.execute(db)
  }
  file.parties[provider].push({ appId, number: providerNo, serial, publicKey, apiKey })
  return id
}

const printOf = (publicKey: string): string =>
  shortened(createPublicKey(publicKey).export({ type: 'spki', format: 'der' }))

const shortened = (data: string | Buffer): string =>
  createHash('sha256')
    .update(data)
    .digest('hex')
    .slice(0, 16)
    .toUpperCase()
    .replace(/(.{4})(?=.)/g, '$1 ')
