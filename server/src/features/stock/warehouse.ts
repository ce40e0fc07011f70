import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { onOff } from '@aisle/contract/kernel/states'
import * as contract from '@aisle/contract/stock/warehouse'
import { sql } from 'kysely'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { existing, refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { addPlace, namePlace } from '../fleet/public'
import { listMovesIn, listStockIn, summarise } from './warehouse.reads'

const last = (column: string) => sql`(select ${sql.ref(`r.${column}`)} from warehouse_reading r
  where r.warehouse_id = warehouse.id order by r.id desc limit 1)`

const warehouses = kept(contract.warehouse, {
  table: 'warehouse',
  facts: () => ({
    keeperName: sql`(select u.display_name from app_user u where u.id = warehouse.keeper_id)`,
    productCount: sql`(select count(*)::int from stock_value v where v.place_id = warehouse.place_id and v.pieces > 0)`,
    pieces: sql`(select coalesce(sum(v.pieces), 0)::int from stock_value v where v.place_id = warehouse.place_id)`,
    valueFen: sql`(select coalesce(sum(v.value_fen), 0)::bigint from stock_value v
      where v.place_id = warehouse.place_id)`,
    coming: sql`(select coalesce(sum(l.quantity), 0)::int from transfer t join transfer_line l on l.transfer_id = t.id
      where t.to_id = warehouse.id and t.ended_at is null)`,
    lastC: sql`(${last('temperature_tenths')} / 10.0)::float8`,
    lastReadAt: sql`to_json(${last('read_at')}) #>> '{}'`,
    isExcursion: sql`coalesce(${last('is_excursion')}, false)`,
  }),
  /** With the place that its stock lies at. */
  columns: async (ctx, { name }, { merchantId, placeId }) => {
    if (placeId === undefined) return { placeId: await addPlace(ctx.tx, 'warehouse', { merchantId, name }) }
    await namePlace(ctx.tx, placeId, name)
    return {}
  },
  search: ['name', 'address', 'keeperName'],
  orders: { value: { by: sql`-"valueFen"`, type: 'bigint' } },
  uses: (id) => sql`select distinct p.name from warehouse w join stock_cost c on c.place_id = w.place_id
    join product p on p.id = c.product_id where w.id = ${id}
    union select t.no from transfer t where ${id} in (t.from_id, t.to_id)
    union select o.no from purchase_order o where o.warehouse_id = ${id}
    union select r.no from goods_receipt r where r.warehouse_id = ${id} order by 1`,
})

export const routes: Route[] = [
  ...listOf(contract.listWarehouses, warehouses.list),
  ...listOf(contract.listWarehouseStock, listStockIn),
  ...listOf(contract.listWarehouseMoves, listMovesIn),
  query(contract.summariseWarehouses, (ctx) => summarise(ctx)),
  query(contract.getWarehouse, getWarehouse),
  command(contract.addWarehouse, add),
  command(contract.editWarehouse, async (ctx, input) => {
    const { merchantId } = await warehouses.load(ctx, input.id)
    await refuseWrong(ctx, merchantId, input)
    return warehouses.edit(ctx, input)
  }),
  command(contract.stopWarehouse, warehouses.move('stop')),
  command(contract.resumeWarehouse, warehouses.move('resume')),
  command(contract.removeWarehouse, warehouses.remove),
  command(contract.addReading, addReading),
]

async function getWarehouse(
  ctx: QueryContext,
  { id }: { id: number },
): Promise<OutputOf<typeof contract.getWarehouse>> {
  const found = await warehouses.get(ctx, { id })
  const readings = await sql<OutputOf<typeof contract.getWarehouse>['readings'][number]>`
    select r.id, to_json(r.read_at) #>> '{}' as at, (r.temperature_tenths / 10.0)::float8 as "temperatureC", r.humidity,
      r.is_excursion as "isExcursion", r.note, r.reader
    from warehouse_reading r where r.warehouse_id = ${id} order by r.id desc limit 60`.execute(ctx.db)
  return { ...found, readings: readings.rows }
}

type Typed = Pick<InputOf<typeof contract.addWarehouse>, 'lowestC' | 'highestC' | 'keeperId'>

async function refuseWrong(ctx: CommandContext, merchantId: number, typed: Typed): Promise<void> {
  if (typed.lowestC >= typed.highestC) refuse('warehouse.range')
  if (typed.keeperId === null) return
  const keeper = await sql`select from app_user u join merchant own on own.id = ${merchantId}
    where u.id = ${typed.keeperId} and u.merchant_id = any(own.path)
      and ${merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)}`.execute(ctx.tx)
  if (keeper.rows.length === 0) refuse('warehouse.keeper')
}

async function add(ctx: CommandContext, input: InputOf<typeof contract.addWarehouse>): Promise<{ id: number }> {
  await refuseWrong(ctx, input.merchantId, input)
  return warehouses.add(ctx, input)
}

async function addReading(
  ctx: CommandContext,
  { id, readAt, temperatureC, humidity, note }: InputOf<typeof contract.addReading>,
): Promise<{ id: number }> {
  const row = await warehouses.load(ctx, id)
  if (new Date(readAt) > ctx.now()) refuse('warehouse.readingAhead')
  await sql`insert into warehouse_reading (warehouse_id, read_at, temperature_tenths, humidity, lowest_c, highest_c,
      highest_humidity, note, read_by, reader)
    values (${id}, ${readAt}, ${Math.round(temperatureC * 10)}, ${humidity}, ${row.lowestC}, ${row.highestC},
      ${row.highestHumidity}, ${note}, ${ctx.actor.userId}, ${ctx.actor.displayName})`.execute(ctx.tx)
  await warehouses.audit(ctx, row, null, { readAt, temperatureC, humidity, note })
  return { id }
}

export type HeldWarehouse = {
  id: number
  merchantId: number
  placeId: number
  name: string
  storage: contract.StorageClass
}

/**
 * Stays as it is until the transaction ends, for whoever moves goods there at the same time too; takes goods in only
 * while it is in use. @throws Refusal for one out of sight
 */
export async function holdWarehouse(ctx: CommandContext, id: number, takesIn: boolean): Promise<HeldWarehouse> {
  const found = await sql<HeldWarehouse & { state: (typeof onOff.states)[number] }>`
    select w.id, w.merchant_id as "merchantId", w.place_id as "placeId", w.name, w.storage, w.state from warehouse w
    where w.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`w.merchant_id`)} for share of w`.execute(ctx.tx)
  const { state, ...held } = existing(found.rows[0])
  if (takesIn && onOff.is(state, 'stopped')) refuse('warehouse.state', { name: held.name })
  return held
}

/** @throws Refusal warehouse.storage for medicine whose label asks for another class */
export function refuseStorage(
  warehouse: HeldWarehouse,
  goods: readonly { name: string; storage: string | null }[],
): void {
  const wrong = goods.find(
    ({ storage }) => storage !== null && !contract.mayStore(storage as contract.StorageClass, warehouse.storage),
  )
  if (wrong) refuse('warehouse.storage', { name: wrong.name, warehouse: warehouse.name })
}
