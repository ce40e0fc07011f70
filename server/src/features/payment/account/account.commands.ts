import type { InputOf } from '@aisle/contract/kernel/endpoint'
import {
  type AccountState,
  accountState,
  type addPaymentAccount,
  type editPaymentAccount,
} from '@aisle/contract/payment/account'
import type { Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import type { CommandContext } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { only } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { isOfPlatform, machineInSight, merchantInSight, refuseUnseenMerchant, sightOf } from '../../../kernel/scope'
import { seal, unseal } from '../../../kernel/seal'

type Changed = { id: number }
type Editable = Omit<InputOf<typeof editPaymentAccount>, 'id' | 'version' | 'receivingNumber'>
export type AccountRow = Editable & {
  id: number
  merchantId: number
  provider: Provider
  machineId: number | null
  providerAccountId: number
  receivingSealed: Buffer | null
  receivingTail: string
  state: AccountState
  version: number
  /** Its provider account is somebody's whom the caller sees. */
  mayPublish: boolean
  /** The caller acts for the platform itself. */
  isPlatform: boolean
}

export async function add(ctx: CommandContext, input: InputOf<typeof addPaymentAccount>): Promise<Changed> {
  const { merchantId, machineCode, providerAccountId, receivingNumber, ...wanted } = input
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  const machineId = machineCode === null ? null : await machineOf(ctx, merchantId, machineCode)
  const provider = await providerFor(ctx, merchantId, providerAccountId)
  const id = await insert(ctx, { merchantId, machineId, provider, providerAccountId, ...wanted }, null)
  await keepReceiving(ctx, id, receivingNumber)
  const receiving = receivingNumber?.slice(-4) ?? ''
  await auditAccount(ctx, { id, merchantId }, null, { provider, machineCode, ...wanted, receiving })
  return { id }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editPaymentAccount>): Promise<Changed> {
  const { id, version, receivingNumber, ...wanted } = input
  const row = await load(ctx, id)
  const before = editableOf(row)
  refuseStale(ctx, { version }, row, before, wanted)
  if (!accountState.is(row.state, 'preparing')) refuse('paymentAccount.locked')
  await sql`update payment_account set products = ${wanted.products}, sub_merchant_no = ${wanted.subMerchantNo},
    payment_title = ${wanted.paymentTitle}, funds_mode = ${wanted.fundsMode}, bank = ${wanted.bank},
    account_name = ${wanted.accountName}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await keepReceiving(ctx, id, receivingNumber)
  const receiving = receivingNumber?.slice(-4) ?? row.receivingTail
  await auditAccount(ctx, row, { ...before, receiving: row.receivingTail }, { ...wanted, receiving })
  return { id }
}

/** What was activated stays as it was: its copy is where changes are made. */
export async function copy(ctx: CommandContext, input: { id: number; version: number }): Promise<Changed> {
  const row = await load(ctx, input.id)
  if (!accountState.is(row.state, 'used')) refuse('paymentAccount.state')
  const id = await insert(ctx, row, row.id)
  const { keys } = ctx.services
  if (row.receivingSealed) await keepReceiving(ctx, id, unseal(keys, about(row.id), row.receivingSealed))
  await auditAccount(ctx, { id, merchantId: row.merchantId }, null, { copiedFrom: row.id, ...editableOf(row) })
  return { id }
}

export async function remove(ctx: CommandContext, input: { id: number; version: number }): Promise<Changed> {
  const row = await load(ctx, input.id)
  refuseStale(ctx, input, row, {}, {})
  if (!accountState.is(row.state, 'preparing')) refuse('paymentAccount.state')
  await sql`delete from payment_account where id = ${row.id}`.execute(ctx.tx)
  await auditAccount(ctx, row, editableOf(row), null)
  return { id: row.id }
}

type Fresh = Editable & Pick<AccountRow, 'merchantId' | 'machineId' | 'provider' | 'providerAccountId'>

async function insert(ctx: CommandContext, to: Fresh, copiedFrom: number | null): Promise<number> {
  const made = await sql<{ id: number }>`
    insert into payment_account (merchant_id, provider, provider_account_id, machine_id, products, sub_merchant_no,
      payment_title, funds_mode, bank, account_name, copied_from, created_at)
    values (${to.merchantId}, ${to.provider}, ${to.providerAccountId}, ${to.machineId}, ${to.products},
      ${to.subMerchantNo}, ${to.paymentTitle}, ${to.fundsMode}, ${to.bank}, ${to.accountName}, ${copiedFrom},
      ${ctx.now()}) returning id`.execute(ctx.tx)
  return only(made).id
}

const about = (id: number) => `payment-account:${id}`

async function keepReceiving(ctx: CommandContext, id: number, number: string | undefined): Promise<void> {
  if (number === undefined) return
  await sql`update payment_account set receiving_sealed = ${seal(ctx.services.keys, about(id), number)},
    receiving_tail = ${number.slice(-4)} where id = ${id}`.execute(ctx.tx)
}

async function machineOf(ctx: CommandContext, merchantId: number, code: string): Promise<number> {
  const found = await sql<{ id: number }>`select m.id from machine m where m.code = ${code}
    and m.merchant_id = ${merchantId} and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}`.execute(ctx.tx)
  return found.rows[0]?.id ?? refuse('paymentAccount.noMachine', { code })
}

/** A merchant collects under numbers of its own, or of a merchant above it that is its service provider. */
async function providerFor(ctx: CommandContext, merchantId: number, id: number): Promise<Provider> {
  const found = await sql<{ provider: Provider }>`select p.provider from provider_account p
    join merchant m on m.id = ${merchantId} and p.merchant_id = any(m.path) where p.id = ${id}`.execute(ctx.tx)
  return found.rows[0]?.provider ?? refuse('paymentAccount.provider')
}

/** The row stays locked: whoever decides about it next sees what was decided here. */
export async function load(ctx: CommandContext, id: number): Promise<AccountRow> {
  const sight = sightOf(ctx.actor)
  const found = await sql<AccountRow>`
    select a.id, a.merchant_id as "merchantId", a.provider, a.machine_id as "machineId",
      a.provider_account_id as "providerAccountId", a.products, a.sub_merchant_no as "subMerchantNo",
      a.payment_title as "paymentTitle", a.funds_mode as "fundsMode", a.bank, a.account_name as "accountName",
      a.receiving_sealed as "receivingSealed", a.receiving_tail as "receivingTail", a.version,
      case when a.publish_at is null then a.state else 'scheduled' end as state,
      ${merchantInSight(sight, sql`p.merchant_id`)} as "mayPublish", ${isOfPlatform(sight)} as "isPlatform"
    from payment_account a join provider_account p on p.id = a.provider_account_id
    where a.id = ${id} and ${merchantInSight(sight, sql`a.merchant_id`)} for update of a`.execute(ctx.tx)
  return existing(found.rows[0])
}

const editableOf = (row: Editable): Editable => ({
  products: row.products,
  subMerchantNo: row.subMerchantNo,
  paymentTitle: row.paymentTitle,
  fundsMode: row.fundsMode,
  bank: row.bank,
  accountName: row.accountName,
})

export const auditAccount = (
  ctx: CommandContext,
  { id, merchantId }: { id: number; merchantId: number },
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
) => ctx.audit({ merchantId, objectKind: 'paymentAccount', objectId: id, before, after })
