import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type {
  Collection,
  CollectionVerdict,
  CollectedBy,
  getCollection,
  listCollections,
} from '@aisle/contract/payment/collection'
import {
  type FundsMode,
  type PaymentProduct,
  paymentProducts,
  type Provider,
  providers,
} from '@aisle/contract/payment/states'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, listRows, type Listing } from '../../kernel/list'
import { machineInSight, type Sight } from '../../kernel/scope'
import { collecting } from './account/account.store'
import { verdictOf } from './collection.rules'

type Filter = InputOf<typeof listCollections>
type Detail = OutputOf<typeof getCollection>

/** Whose an account is, as seen from the machine. */
const whose = sql`case when a.machine_id is not null then 'machine' when a.merchant_id = c.id then 'merchant'
  else 'above' end`

/** By the way of paying that most machines have, the code they show; else by the one that they read. */
const by = (provider: Provider): RawBuilder<unknown> => {
  const way = (product: PaymentProduct) =>
    sql`(select ${whose} from (${collecting(sql`m.id`, sql`${provider}`, sql`${product}`)}) a)`
  return sql`coalesce(${way('native')}, ${way('barcode')}, 'reader')`
}

const rowsInSight = (sight: Sight): RawBuilder<Collection> => sql`
  select m.id, m.code as "machineCode", m.name as "machineName", m.merchant_id as "merchantId",
    c.name as "merchantName", c.collects_payment as "collectsPayment", ${by('wechat')} as wechat,
    ${by('alipay')} as alipay, ${by('unionpay')} as unionpay
  from machine m join merchant c on c.id = m.merchant_id where ${machineInSight(sight, sql`m.id`)}`

export function listCollectionsIn(sight: Sight, filter: Filter): Listing<Collection> {
  const { machine: q, merchantId, wechat, alipay, unionpay } = filter
  const where = allOf([
    q && sql`(${holds(sql`"machineCode"`, q)} or ${holds(sql`"machineName"`, q)})`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    wechat && sql`wechat = ${wechat}`,
    alipay && sql`alipay = ${alipay}`,
    unionpay && sql`unionpay = ${unionpay}`,
  ])
  return listRows({ rows: rowsInSight(sight), where, order: { by: sql`"machineCode"`, type: 'text' } })
}

type Candidate = {
  accountId: number
  merchantName: string
  provider: Provider
  products: PaymentProduct[]
  fundsMode: FundsMode
  by: Exclude<CollectedBy, 'reader'>
  /** Of whoever offers it: services that are on. */
  switchedOn: PaymentProduct[]
}

export async function findCollectionDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Collection>`select * from (${rowsInSight(sight)}) seen where id = ${id}`.execute(db)
  const row = found.rows[0]
  if (!row) return undefined
  const services = await sql<{ provider: Provider; product: PaymentProduct; isOn: boolean }>`
    select provider, product, is_on as "isOn" from payment_service`.execute(db)
  const candidates = await findCandidates(db, id)
  return {
    ...row,
    providers: providers.map((provider) => ({
      provider,
      products: paymentProducts.map((product) => {
        const isOn = services.rows.some((each) => each.provider === provider && each.product === product && each.isOn)
        const offering = candidates.filter((each) => each.provider === provider && each.products.includes(product))
        const considered = judged(offering, product, row.collectsPayment)
        const winner = considered.find(({ verdict }) => verdict === 'collects')
        return { product, isOn, by: winner?.by ?? 'reader', considered }
      }),
    })),
  }
}

/** Activated accounts that could be asked, nearest first: of the machine, its merchant, and those above. */
async function findCandidates(db: Reader, machineId: number): Promise<Candidate[]> {
  const found = await sql<Candidate>`
    select a.id as "accountId", owner.name as "merchantName", a.provider, a.products, a.funds_mode as "fundsMode",
      ${whose} as by,
      (select coalesce(json_agg(v.product), '[]') from payment_service v
        join provider_account w on w.id = a.provider_account_id and v.acquirer_id is not distinct from w.acquirer_id
        where v.provider = a.provider and v.is_on) as "switchedOn"
    from machine m join merchant c on c.id = m.merchant_id
    join payment_account a on a.merchant_id = any(c.path) and a.state = 'activated'
      and (a.machine_id = m.id or a.machine_id is null)
    join merchant owner on owner.id = a.merchant_id where m.id = ${machineId}
    order by a.machine_id is null, array_position(c.path, a.merchant_id) desc`.execute(db)
  return found.rows
}

function judged(candidates: readonly Candidate[], product: PaymentProduct, collectsPayment: boolean) {
  let isTaken = false
  return candidates.map(({ accountId, merchantName, fundsMode, by: whoseIs, switchedOn }) => {
    const isOn = switchedOn.includes(product)
    const verdict: CollectionVerdict = verdictOf({ by: whoseIs, fundsMode, isOn, collectsPayment, isTaken })
    isTaken ||= verdict === 'collects'
    return { accountId, merchantName, fundsMode, by: whoseIs, verdict }
  })
}
