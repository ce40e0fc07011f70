import type { FundsMode, PaymentProduct, Provider } from '@aisle/contract/payment/states'
import { type RawBuilder, sql } from 'kysely'
import type { AuthKeys, Reader } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { unseal } from '../../../kernel/seal'

/** The account that collects a payment. */
export type CollectingAccount = {
  id: number
  /** Whose numbers these are; not the machine's merchant where it is inherited. */
  merchantId: number
  providerAccountId: number
  provider: Provider
  subMerchantNo: string
  paymentTitle: string
  fundsMode: FundsMode
}

export type AccountAsk = { machineId: number; method: Provider; product: PaymentProduct }

/**
 * The account that collects for a machine: its own, else its merchant's, else the nearest one above that is not
 * `direct`. What a merchant collects itself (`collects_payment`) goes to `direct` accounts alone, and nobody else's
 * money does: the ledger counts on it. `product`: narrowed to accounts that offer it, and only while it is on.
 */
export const collecting = (machine: RawBuilder<unknown>, provider: RawBuilder<unknown>, product: RawBuilder<unknown>) =>
  sql`select chosen.* from machine asked join merchant its on its.id = asked.merchant_id
    join payment_account chosen on chosen.merchant_id = any(its.path) and chosen.state = 'activated'
      and chosen.provider = ${provider} and (chosen.machine_id is null or chosen.machine_id = asked.id)
      and (chosen.funds_mode = 'direct') = its.collects_payment
      and (chosen.merchant_id = its.id or (chosen.funds_mode <> 'direct' and chosen.machine_id is null))
    join provider_account who on who.id = chosen.provider_account_id
    join payment_service offered on offered.provider = chosen.provider and offered.product = ${product}
      and offered.acquirer_id is not distinct from who.acquirer_id and offered.is_on
      and offered.product = any(chosen.products)
    where asked.id = ${machine}
    order by chosen.machine_id is null, array_position(its.path, chosen.merchant_id) desc limit 1`

/** None where the machine's own reader has to take the money. */
export async function findAccounts<A extends AccountAsk>(
  db: Reader,
  asks: readonly A[],
): Promise<Map<A, CollectingAccount>> {
  const found = await sql<CollectingAccount & { at: number }>`
    select ask.at::int as at, a.id, a.merchant_id as "merchantId", a.provider_account_id as "providerAccountId",
      a.provider, a.sub_merchant_no as "subMerchantNo", a.payment_title as "paymentTitle", a.funds_mode as "fundsMode"
    from unnest(${asks.map((ask) => ask.machineId)}::bigint[], ${asks.map((ask) => ask.method)}::text[],
      ${asks.map((ask) => ask.product)}::text[]) with ordinality ask(machine_id, provider, product, at)
    cross join lateral (${collecting(sql`ask.machine_id`, sql`ask.provider`, sql`ask.product`)}) a`.execute(db)
  return new Map(found.rows.map(({ at, ...account }) => [must(asks[at - 1], 'ask'), account]))
}

/** Numbers, addresses and opened keys of a provider account, for who speaks with the provider. Never logged. */
export type ProviderParameters = {
  id: number
  provider: Provider
  environment: 'production' | 'sandbox'
  appId: string
  providerNo: string
  gateway: string
  token: string
  /** PKCS #8 PEM that signs what we send. */
  privateKey: string
  /** PEM of its public side, and the number the provider knows it by. */
  certificate: string
  certificateSerial: string
  /** PEM, certificate or public key, that checks what the provider signs, and its number. */
  providerKey: string
  providerSerial: string
  apiKey: string
}

/** @param where of `p`, the provider account. What is not set is ''. */
async function openOne(db: Reader, keys: AuthKeys, where: RawBuilder<unknown>): Promise<ProviderParameters | null> {
  type Key = { kind: keyof typeof places; sealed: Buffer | null; pem: string | null; serial: string }
  const found = await sql<Omit<ProviderParameters, keyof typeof noKeys>>`
    select p.id, p.provider, p.environment, p.app_id as "appId", p.provider_no as "providerNo", p.gateway, p.token
    from provider_account p where ${where}`.execute(db)
  const account = found.rows[0]
  if (!account) return null
  const kept = await sql<Key>`select kind, sealed, pem, serial from provider_key
    where provider_account_id = ${account.id}`.execute(db)
  const opened: ProviderParameters = { ...account, ...noKeys }
  for (const { kind, sealed, pem, serial } of kept.rows) {
    opened[places[kind]] = sealed ? unseal(keys, `provider:${account.id}:${kind}`, sealed) : (pem ?? '')
    if (kind === 'certificate') opened.certificateSerial = serial
    if (kind === 'provider_key') opened.providerSerial = serial
  }
  return opened
}

const places = {
  private_key: 'privateKey',
  certificate: 'certificate',
  provider_key: 'providerKey',
  api_key: 'apiKey',
} as const

const noKeys = {
  privateKey: '',
  certificate: '',
  certificateSerial: '',
  providerKey: '',
  providerSerial: '',
  apiKey: '',
}

export const openProvider = (db: Reader, keys: AuthKeys, id: number) => openOne(db, keys, sql`p.id = ${id}`)

/** What a notification's address names. */
export const openProviderByToken = (db: Reader, keys: AuthKeys, provider: Provider, token: string) =>
  openOne(db, keys, sql`p.provider = ${provider} and p.token = ${token}`)

/** What a payment account collects with. */
export const openAccount = (db: Reader, keys: AuthKeys, accountId: number) =>
  openOne(db, keys, sql`p.id = (select provider_account_id from payment_account where id = ${accountId})`)
