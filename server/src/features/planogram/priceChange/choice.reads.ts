import { codesIn } from '@aisle/contract/kernel/codes'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type addPriceChange, MOST_PRICED, MOST_PRODUCTS } from '@aisle/contract/planogram/priceChange'
import { type RawBuilder, sql } from 'kysely'
import type { CommandContext } from '../../../kernel/context'
import { allOf } from '../../../kernel/list'
import { existing, refuse } from '../../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../../kernel/scope'
import { judgeSlot, type PriceRule, type PricedSlot } from './price.rules'

type Wish = InputOf<typeof addPriceChange>
export type Product = { id: number; name: string; priceFen: number; isOwn: boolean }

const CODES_SAID = 10

/** A merchant sells its own products and those of the merchants above. */
const sold = (ctx: CommandContext) => sql`(${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)}
  or p.merchant_id = any((select path from merchant where id = ${ctx.actor.merchantId})::bigint[]))`

/** @throws Refusal for what is out of sight or not there, by its code where it was named by one */
export async function findChosen(ctx: CommandContext, wish: Wish): Promise<Product[]> {
  const codes = codesIn(wish.codes)
  const { productIds, categoryId, brand } = wish
  const isFiltered = categoryId !== null || brand !== ''
  if (productIds.length + codes.length === 0 && !isFiltered) refuse('priceChange.incomplete')
  const filter = allOf([
    categoryId !== null &&
      sql`p.category_id in (with recursive below as (select ${categoryId}::bigint as id
        union all select c.id from category c join below b on c.parent_id = b.id) select id from below)`,
    brand && sql`p.brand = ${brand}`,
  ])
  const found = await sql<Product & { code: string; barcodes: string[] | null; isNamed: boolean }>`
    select p.id, p.code, p.name, p.price_fen as "priceFen",
      ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)} as "isOwn",
      p.id = any(${productIds}::bigint[]) as "isNamed",
      (select array_agg(b.code) from product_barcode b where b.product_id = p.id and b.code = any(${codes}::text[]))
        as barcodes
    from product p
    where ${sold(ctx)} and not p.is_unknown and (p.id = any(${productIds}::bigint[]) or p.code = any(${codes}::text[])
      or p.id in (select product_id from product_barcode b where b.code = any(${codes}::text[]))
      or (${isFiltered} and ${filter}))
    order by p.name, p.id limit ${sql.lit(MOST_PRODUCTS + 1)}`.execute(ctx.tx)
  const { rows } = found
  if (rows.length > MOST_PRODUCTS) refuse('priceChange.tooMany', { most: MOST_PRODUCTS })
  if (rows.filter(({ isNamed }) => isNamed).length < new Set(productIds).size) refuse('request.notFound')
  const known = new Set(rows.flatMap(({ code, barcodes }) => [code, ...(barcodes ?? [])]))
  const unknown = codes.filter((code) => !known.has(code))
  if (unknown.length > 0) refuse('priceChange.unknownCode', { codes: unknown.slice(0, CODES_SAID).join(' ') })
  if (rows.length === 0) refuse('priceChange.nothing')
  return rows
}

/** Which machines are meant, as a condition on `m`, and what that is called. */
export async function placeOf(
  ctx: CommandContext,
  wish: Wish,
): Promise<{ where: RawBuilder<unknown>; scopeName: string }> {
  const sight = sightOf(ctx.actor)
  if (wish.scope === 'all') return { where: sql`true`, scopeName: '' }
  if (wish.scope === 'machines') {
    const codes = codesIn(wish.machineCodes)
    if (codes.length === 0) refuse('priceChange.incomplete')
    const found = await sql<{ code: string }>`select m.code from machine m
      where m.code = any(${codes}::text[]) and ${machineInSight(sight, sql`m.id`)}`.execute(ctx.tx)
    const known = new Set(found.rows.map(({ code }) => code))
    const unknown = codes.filter((code) => !known.has(code))
    if (unknown.length > 0) refuse('priceChange.unknownMachine', { codes: unknown.slice(0, CODES_SAID).join(' ') })
    const [first = '', ...others] = codes
    return {
      where: sql`m.code = any(${codes}::text[])`,
      scopeName: others.length > 0 ? `${first} +${others.length}` : first,
    }
  }
  const isGroup = wish.scope === 'group'
  const id = (isGroup ? wish.groupId : wish.routeId) ?? refuse('priceChange.incomplete')
  const table = sql.table(isGroup ? 'machine_group' : 'route')
  const found = await sql<{ name: string }>`select g.name from ${table} g
    where g.id = ${id} and ${merchantInSight(sight, sql`g.merchant_id`)}`.execute(ctx.tx)
  const where = isGroup
    ? sql`m.id in (select machine_id from machine_group_member where group_id = ${id})`
    : sql`m.route_id = ${id}`
  return { where, scopeName: existing(found.rows[0]).name }
}

type Standing = Omit<PricedSlot, 'isMachineUnlawful'> & {
  slotId: number
  machineId: number
  slotCode: string
  productId: number
  isNext: boolean
}
export type Line = Pick<Standing, 'slotId' | 'machineId' | 'slotCode' | 'productId' | 'isNext'> & {
  beforeFen: number | null
  afterFen: number | null
  state: 'planned' | 'skipped'
  why: string | null
}

/** What slots hold by plan, and what they get at their next service. */
const plans = sql`(select id, machine_id, code, product_id, price_fen, false as is_next from slot
  union all select id, machine_id, code, next_product_id, next_price_fen, true from slot
    where next_product_id is not null)`

/** The slots that hold these products or wait for them, judged. @param where which of them, of slot `s`, machine `m` */
export async function judgeSlots(
  ctx: CommandContext,
  rule: PriceRule,
  where: RawBuilder<unknown>,
): Promise<readonly Line[]> {
  const found = await sql<Standing>`
    select s.id as "slotId", s.machine_id as "machineId", s.code as "slotCode", s.product_id as "productId",
      s.is_next as "isNext", s.price_fen as "priceFen", p.state = 'offline' as "isOffline",
      p.medicine_class as "medicineClass", m.licence_mode as "licenceMode"
    from ${plans} s join machine m on m.id = s.machine_id join product p on p.id = s.product_id
    where ${where} and m.retired_at is null and s.machine_id is not null and s.product_id is not null
      and ${machineInSight(sightOf(ctx.actor), sql`s.machine_id`)}
    limit ${sql.lit(MOST_PRICED + 1)}`.execute(ctx.tx)
  if (found.rows.length > MOST_PRICED) refuse('priceChange.tooMany', { most: MOST_PRICED })
  const unlawful = await findUnlawful(ctx, [...new Set(found.rows.map(({ machineId }) => machineId))])
  return found.rows.map(({ slotId, machineId, slotCode, productId, isNext, ...slot }) => {
    const { afterFen, why } = judgeSlot(rule, { ...slot, isMachineUnlawful: unlawful.has(machineId) })
    const state = why === null ? 'planned' : 'skipped'
    return { slotId, machineId, slotCode, productId, isNext, beforeFen: slot.priceFen, afterFen, state, why }
  })
}

/** Of these machines those in which something stands that their licence mode forbids. */
export async function findUnlawful(
  { tx }: Pick<CommandContext, 'tx'>,
  machineIds: readonly number[],
): Promise<Set<number>> {
  const found = await sql<Omit<PricedSlot, 'isMachineUnlawful'> & { id: number }>`
    select distinct m.id, m.licence_mode as "licenceMode", p.medicine_class as "medicineClass",
      null::bigint as "priceFen", false as "isOffline"
    from machine m join slot s on s.machine_id = m.id join product p on p.id = s.product_id
    where m.id = any(${[...machineIds]}::bigint[]) and p.medicine_class is not null`.execute(tx)
  const free: PriceRule = { rule: 'set', amountFen: 1, percent: null, roundTo: 'fen' }
  return new Set(
    found.rows.flatMap(({ id, ...slot }) =>
      judgeSlot(free, { ...slot, isMachineUnlawful: false }).why === 'unlawful' ? [id] : [],
    ),
  )
}
