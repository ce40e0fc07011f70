import { createPublicKey, generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { keysNeeded } from '@aisle/contract/payment/provider'
import type { Provider } from '@aisle/contract/payment/states'
import { bare, fingerprintOf, publicPrint } from '../../features/payment/account/key.rules'
import { insertProvider, putKey } from '../../features/payment/account/provider.store'
import type { AuthKeys, Reader } from '../../kernel/context'

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

export async function newProviderFile(pairs: KeyPairs): Promise<ProviderFile> {
  const own = async () => ({ serial: newSerial(), ...(await nextOf(pairs)) })
  return {
    keys: { wechat: await own(), alipay: await own(), unionpay: await own() },
    parties: { wechat: [], alipay: [], unionpay: [] },
    enterprises: {},
    customers: {},
  }
}

type KeyPair = { privateKey: string; publicKey: string }
/** Each is taken once. */
export type KeyPairs = Promise<KeyPair>[]

/**
 * Of RSA, made in other threads while other work goes on.
 * @param bits of each key; tests that sign thousands of times take shorter ones
 */
export const newKeyPairs = (count: number, bits = 2048): KeyPairs =>
  Array.from({ length: count }, () =>
    promisify(generateKeyPair)('rsa', {
      modulusLength: bits,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    }),
  )

function nextOf(pairs: KeyPairs): Promise<KeyPair> {
  const next = pairs.pop()
  if (!next) throw new RangeError('all key pairs are taken')
  return next
}

const newSerial = (): string => randomBytes(20).toString('hex').toUpperCase()

type NewProviderAccount = {
  merchantId: number
  provider: Provider
  name: string
  appId: string
  providerNo: string
  gateway: string
  at: Date
}

/**
 * An account at the stand-in of the demo and of tests: its keys are made here, sealed here, and told to the stand-in by
 * their public sides.
 */
export async function addProviderAccount(
  db: Reader,
  keys: AuthKeys,
  { file, pairs }: { file: ProviderFile; pairs: KeyPairs },
  { at, ...of }: NewProviderAccount,
): Promise<number> {
  const id = await insertProvider(db, { ...of, environment: 'sandbox' }, at)
  const { privateKey, publicKey } = await nextOf(pairs)
  const [serial, apiKey, own] = [newSerial(), randomBytes(16).toString('hex'), file.keys[of.provider]]
  const kept = [
    { ...bare('private_key', privateKey, printOf(publicKey)), isSecret: true },
    { ...bare('certificate', publicKey, printOf(publicKey)), serial },
    { ...bare('provider_key', own.publicKey, printOf(own.publicKey)), serial: own.serial },
    { ...bare('api_key', apiKey, fingerprintOf(Buffer.from(apiKey))), isSecret: true },
  ]
  for (const key of kept)
    if (keysNeeded[of.provider].includes(key.kind)) await putKey(db, keys, { ...key, id, userId: null, at })
  file.parties[of.provider].push({ appId: of.appId, number: of.providerNo, serial, publicKey, apiKey })
  return id
}

const printOf = (publicKey: string) => publicPrint(createPublicKey(publicKey))
