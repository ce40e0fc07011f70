import type { Entity } from '@aisle/contract/kernel/entity'
import type { Language } from '@aisle/contract/kernel/text'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Tables } from '../db/tables'
import { auditAs } from './audit'
import { refusedBy } from './constraint'
import type { CommandContext, QueryContext } from './context'
import { refuseInUse, refuseStale } from './edit'
import { columnsOf, type Facts, type Filter, findOne, inSight, listingOf } from './kept.reads'
import type { Listing, Order } from './list'
import { existing, refusal, refuse } from './refuse'
import { refuseUnseenMerchant, type Sight, sightOf } from './scope'
import { movesOf, untyped } from './states'

type Typed<S> = { [K in keyof S]: z.output<S[K]> }
type Item<E extends Entity> = z.output<E['item']> & { id: number }
type Whole<E extends Entity> = Item<E> & { version: number } & Typed<E['editable']>
type Owner<E extends Entity> = E['owner'] extends 'merchant' ? { merchantId: number } : unknown
type Own<E extends Entity, R> = Exclude<keyof E['editable'] | keyof NonNullable<E['fixed']>, R>

/** Where a plain thing is kept. Its table has `id`, `version`, `createdAt`, and the columns of what is typed. */
export type Kept<E extends Entity, T extends keyof Tables, R extends keyof E['editable']> = {
  table: Own<E, R> | 'id' | 'version' | 'createdAt' extends keyof Tables[T] ? T : never
  /** Other tables of which its facts and what is shown speak, joined to its own. */
  joins?: (sight: Sight, now: Date) => RawBuilder<unknown>
  /** Of the rows of its table, those that are such a thing. */
  among?: RawBuilder<boolean>
  /** What is worked out, in SQL beside the table's own name; counts are of what is in sight. */
  facts: (sight: Sight, now: Date, language: Language) => { [K in keyof E['facts']]: RawBuilder<unknown> }
  /** What is typed and stands in no column of its name, in SQL over its own table; `columns` or a caller writes it. */
  shown?: Record<R, RawBuilder<unknown>>
  /** Columns that follow from what is typed; refuses what can't be kept so. `row` is as it was, when one is edited. */
  columns?: (
    ctx: CommandContext,
    typed: Typed<E['editable']>,
    row: Owner<E> & Partial<Selectable<Tables[T]>>,
  ) => Promise<Partial<Insertable<Tables[T]>>>
  /** Fields of the list in which the search looks. */
  search: readonly (keyof Item<E> & string)[]
  /** Filters that their name does not explain. */
  where?: { [K in keyof E['filters']]?: (value: NonNullable<z.output<E['filters'][K]>>) => RawBuilder<unknown> }
  /** Orders that are not a column's own. */
  orders?: { [K in E['sorts'][number]]?: Order }
  /** A `select` of the names of what still uses the thing, whoever may see them. */
  uses?: (id: number) => RawBuilder<{ name: string }>
}

/**
 * How a plain thing is read and written, from its declaration: in sight or not there at all, refused by the database's
 * constraints, merged with what somebody else saved meanwhile, audited with what was and what is. A rule of its own
 * stands in an ordinary function around these.
 */
export function kept<E extends Entity, T extends keyof Tables, R extends keyof E['editable'] = never>(
  entity: E,
  where: Kept<E, T, R>,
) {
  const one = { entity, ...where } as unknown as Keeping
  return {
    /** Held until the transaction ends. @throws Refusal request.notFound, also for what is out of sight */
    load: (ctx: CommandContext, id: number) => load(one, ctx, id) as Promise<Selectable<Tables[T]> & Row>,
    /** All of it that a person types, as it is. */
    typedOf: (row: Facts) => typedOf(one, row),
    audit: (ctx: CommandContext, row: Facts, ...change: Change) => audit(one, ctx, row, ...change),
    list: (ctx: QueryContext, filter: Filter) => listingOf(ctx, one, filter) as Listing<Item<E>>,
    get: (ctx: QueryContext, { id }: Id) => findOne(ctx, one, id) as Promise<Whole<E>>,
    add: (ctx: CommandContext, input: Owner<E> & Typed<NonNullable<E['fixed']>> & Typed<E['editable']>) =>
      add(one, ctx, input),
    edit: (ctx: CommandContext, input: Row & Typed<E['editable']>) => edit(one, ctx, input),
    /** @param verb of the table of its states, which alone says where it leads */
    move: (verb: string) => (ctx: CommandContext, input: Id) => move(one, ctx, input, verb),
    remove: (ctx: CommandContext, input: Id) => remove(one, ctx, input),
  }
}

type Id = { id: number }
type Row = Id & { version: number }
type Change = [before: Facts | null, after: Facts | null]
type Keeping = Parameters<typeof findOne>[1] & {
  columns?: (ctx: CommandContext, typed: Facts, row: Facts) => Promise<Facts>
  uses?: (id: number) => RawBuilder<{ name: string }>
}

async function load(one: Keeping, ctx: CommandContext, id: number): Promise<Facts & Row> {
  const found = await untyped(ctx.tx)
    .selectFrom(one.table)
    .selectAll()
    .select(Object.entries(one.shown ?? {}).map(([name, value]) => value.as(name)))
    .where('id', '=', id)
    .where(inSight(one, sightOf(ctx.actor)))
    .forUpdate()
    .executeTakeFirst()
  return existing(found as (Facts & Row) | undefined)
}

async function add(one: Keeping, ctx: CommandContext, input: Facts): Promise<Id> {
  const { merchantId, ...wanted } = input
  const owner = one.entity.owner === 'merchant' ? { merchantId: Number(merchantId) } : {}
  if (owner.merchantId) await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), owner.merchantId)
  const values = { ...owner, ...(await columnsFor(one, ctx, wanted, owner)), createdAt: ctx.now() }
  const write = untyped(ctx.tx).insertInto(one.table).values(values).returning('id').executeTakeFirstOrThrow()
  const id = Number((await unlessTaken(one, wanted, write)).id)
  await audit(one, ctx, { ...owner, id }, null, wanted)
  return { id }
}

async function edit(one: Keeping, ctx: CommandContext, { id, version, ...wanted }: Facts & Row): Promise<Id> {
  const row = await load(one, ctx, id)
  const before = typedOf(one, row)
  refuseStale(ctx, { version }, row, before, wanted)
  await unlessTaken(one, wanted, save(one, ctx, row, await columnsFor(one, ctx, wanted, row)))
  await audit(one, ctx, row, before, wanted)
  return { id }
}

async function move(one: Keeping, ctx: CommandContext, { id }: Id, verb: string): Promise<Id> {
  const { kind, states } = one.entity
  if (!states) throw new RangeError(`${kind} has no states`)
  const row = await load(one, ctx, id)
  const refuseIt = () => refuse(states.refusal, { name: nameOf(row) })
  const moves = movesOf(one.table, 'state', states.table, { versioned: true, refuse: refuseIt })
  const state = await moves.move(ctx.tx, row, verb, {})
  await audit(one, ctx, row, { state: row.state }, { state })
  return { id }
}

async function remove(one: Keeping, ctx: CommandContext, { id }: Id): Promise<Id> {
  const row = await load(one, ctx, id)
  const used = one.uses && (await sql<{ name: string }>`${one.uses(id)} limit 30`.execute(ctx.tx))
  if (used) refuseInUse(used.rows.map(({ name }) => name))
  await untyped(ctx.tx).deleteFrom(one.table).where('id', '=', id).execute()
  await audit(one, ctx, row, only(Object.keys({ ...one.entity.fixed, ...one.entity.editable }), row), null)
  return { id }
}

const typedOf = ({ entity }: Keeping, row: Facts) => only(Object.keys(entity.editable), row)

const columnsFor = async (one: Keeping, ctx: CommandContext, typed: Facts, row: Facts): Promise<Facts> => ({
  ...only(columnsOf(one), typed),
  ...(await one.columns?.(ctx, typed, row)),
})

function save({ table }: Keeping, ctx: CommandContext, { id, version }: Row, change: Facts): Promise<unknown> {
  const next = { ...change, version: version + 1 }
  return untyped(ctx.tx).updateTable(table).set(next).where('id', '=', id).execute()
}

const audit = ({ entity }: Keeping, ctx: CommandContext, row: Facts, ...change: Change): Promise<void> =>
  auditAs(entity.kind)(ctx, row as Facts & Id & { merchantId?: number | null }, ...change)

const only = (names: readonly string[], row: Facts): Facts =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)))

const nameOf = (row: Facts) => String(row.name ?? row.code ?? row.id)

const unlessTaken = <R>({ entity }: Keeping, wanted: Facts, write: Promise<R>): Promise<R> =>
  Object.entries(entity.unique ?? {}).reduce(
    (asked, [constraint, code]) => refusedBy(constraint, asked, () => refusal(code, wordsOf(wanted))),
    write,
  )

const wordsOf = (typed: Facts) =>
  Object.fromEntries(Object.entries({ name: nameOf(typed), ...typed }).map(([name, value]) => [name, String(value)]))
