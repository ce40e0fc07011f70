import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { isPublicAddress } from '@aisle/contract/merchant/callbackAddress'
import {
  type addProviderAccount,
  type editProviderAccount,
  keysNeeded,
  type setProviderKey,
} from '@aisle/contract/payment/provider'
import type { Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { addJob } from '../../../kernel/jobs'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { isPlatform, merchantInSight, refuseUnseenMerchant, sightOf } from '../../../kernel/scope'
import { readKey, type ReadKey } from './key.rules'
import { insertProvider, putKey } from './provider.store'

type Changed = { id: number }
type Editable = Omit<InputOf<typeof editProviderAccount>, 'id' | 'version'>
type Row = Editable & { id: number; merchantId: number; provider: Provider; version: number; accounts: number }

export const TEST_KEYS = 'payment.test'

export async function add(ctx: CommandContext, input: InputOf<typeof addProviderAccount>): Promise<Changed> {
  const { merchantId, provider, ...wanted } = input
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  refuseInner(ctx, wanted.gateway)
  await refuseOtherProtocol(ctx, input)
  const id = await unlessThere(wanted.name, insertProvider(ctx.tx, input, ctx.now()))
  await audit(ctx, { id, merchantId }, null, { provider, ...wanted })
  return { id }
}

/** Held until the account stands on it. */
async function refuseOtherProtocol(ctx: CommandContext, { acquirerId, provider }: InputOf<typeof addProviderAccount>) {
  if (acquirerId === undefined) return
  const found = await ctx.tx
    .selectFrom('acquirer')
    .select(['name', 'provider'])
    .where('id', '=', acquirerId)
    .forKeyShare()
    .executeTakeFirst()
  const { name, provider: spoken } = existing(found)
  if (spoken !== provider) refuse('providerAccount.otherProtocol', { name })
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editProviderAccount>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const row = await load(ctx, id)
  const { name, environment, appId, providerNo, gateway } = row
  const before = { name, environment, appId, providerNo, gateway }
  refuseStale(ctx, { version }, row, before, wanted)
  if (gateway !== wanted.gateway) refuseInner(ctx, wanted.gateway)
  const isOther = appId !== wanted.appId || providerNo !== wanted.providerNo || environment !== wanted.environment
  // The database says the same: what was collected under a number must stay findable under it, and be paid back.
  if (row.accounts > 0 && isOther) refuse('providerAccount.collects', { count: row.accounts })
  await unlessThere(
    wanted.name,
    sql`update provider_account set name = ${wanted.name}, environment = ${wanted.environment},
      app_id = ${wanted.appId}, provider_no = ${wanted.providerNo}, gateway = ${wanted.gateway},
      version = version + 1 where id = ${id}`.execute(ctx.tx),
  )
  await audit(ctx, row, before, wanted)
  return { id }
}

/** Our servers call it, and what it answers is shown: only the platform sends them into its own network (SSRF). */
function refuseInner(ctx: CommandContext, gateway: string): void {
  if (gateway === '' || isPlatform(ctx) || isPublicAddress(gateway)) return
  refuse('providerAccount.gateway')
}

/** What is kept of it in the audit log is what anyone may know: which key, and its fingerprint. */
export async function setKey(ctx: CommandContext, input: InputOf<typeof setProviderKey>): Promise<Changed> {
  const { id, kind } = input
  const row = await load(ctx, id)
  if (!keysNeeded[row.provider].includes(kind)) refuse('providerKey.notUsed')
  const read = readKey(kind, input.keyText, input.serial, ctx.now())
  if (typeof read === 'string') return refuse(`providerKey.${read}`)
  await refuseOtherPair(ctx, id, read)
  // UnionPay calls a certificate by its number in decimal; the others by it in hexadecimal.
  const serial = row.provider === 'unionpay' && read.validUntil ? String(BigInt(`0x${read.serial}`)) : read.serial
  const was = await sql<{ fingerprint: string }>`select fingerprint from provider_key
    where provider_account_id = ${id} and kind = ${kind}`.execute(ctx.tx)
  await putKey(ctx.tx, ctx.services.keys, { ...read, id, serial, userId: ctx.actor.userId, at: ctx.now() })
  // What was tested is not what is there now.
  await sql`update provider_account set test_asked_at = null, test_ended_at = null, test_outcome = null,
    test_said = '', version = version + 1 where id = ${id}`.execute(ctx.tx)
  const before = was.rows[0] ? { kind, fingerprint: was.rows[0].fingerprint } : null
  await audit(ctx, row, before, { kind, fingerprint: read.fingerprint, serial })
  return { id }
}

/**
 * A private key signs what the certificate beside it proves. The newer certificate comes first: with it in place the
 * key that belongs to it may be set, while a key that belongs to nothing is a slip.
 */
async function refuseOtherPair(ctx: CommandContext, id: number, read: ReadKey): Promise<void> {
  if (read.kind !== 'private_key') return
  const found = await sql<{ fingerprint: string }>`select fingerprint from provider_key
    where provider_account_id = ${id} and kind = 'certificate'`.execute(ctx.tx)
  const certificate = found.rows[0]
  if (certificate && certificate.fingerprint !== read.fingerprint) refuse('providerKey.notPair')
}

/** The provider is asked by a job, so that nobody's transaction waits for it. */
export async function test(ctx: CommandContext, { id }: { id: number }): Promise<Changed> {
  const row = await load(ctx, id)
  await sql`update provider_account set test_asked_at = ${ctx.now()}, test_asked_by = ${ctx.actor.userId},
    test_ended_at = null, test_outcome = null, test_said = ''
    where id = ${id}`.execute(ctx.tx)
  await addJob(ctx.tx, TEST_KEYS, { id })
  await audit(ctx, row, null, { test: 'asked' })
  return { id }
}

const unlessThere = <T>(name: string, write: Promise<T>): Promise<T> =>
  refusedBy('provider_account_merchant_id_provider_name_key', write, () => refusal('providerAccount.exists', { name }))

async function load(ctx: CommandContext, id: number): Promise<Row> {
  const found = await sql<Row>`
    select p.id, p.merchant_id as "merchantId", p.provider, p.name, p.environment, p.app_id as "appId",
      p.provider_no as "providerNo", p.gateway, p.version,
      (select count(*) from payment_account a where a.provider_account_id = p.id and a.state <> 'preparing') as accounts
    from provider_account p where p.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)}
    for update of p`.execute(ctx.tx)
  return existing(found.rows[0])
}

const audit = auditAs('providerAccount')
