import type { Entity } from '@aisle/contract/kernel/entity'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Tables } from '../db/tables'
import { refusedBy } from './constraint'
import type { CommandContext, QueryContext, Reader, Tx } from './context'
import { refuseInUse, refuseStale } from './edit'
import { columnsOf, type Facts, type Filter, findOne, findPage, inSight } from './kept.reads'
import type { Order, Page } from './list'
import { refusal, refuse } from './refuse'
import { merchantInSight, type Sight, sightOf } from './scope'

type Part<E extends Entity> = NonNullable<E['parts']>[number]
type Columns<E extends Entity> = Exclude<keyof E['editable'], Part<E>>
type Item<E extends Entity> = z.output<E['item']> & { id: number }
type Whole<E extends Entity> = Item<E> & { version: number } & { [K in Part<E>]: Editable<E>[K] }
type Editable<E extends Entity> = { [K in keyof E['editable']]: z.output<E['editable'][K]> }

/** Where a plain thing is kept. Its table has `id`, `version`, `createdAt`, and the columns of its editable shape. */
export type Kept<E extends Entity, T extends keyof Tables> = {
  table: Columns<E> | 'id' | 'version' | 'createdAt' extends keyof Tables[T] ? T : never
  /** What is worked out, in SQL beside the table's own name; counts are of what is in sight. */
  facts: (sight: Sight) => { [K in keyof E['facts']]: RawBuilder<unknown> }
  /** Fields of the list in which the search looks. */
  search: readonly (keyof Item<E> & string)[]
  /** Filters that their name does not explain. */
  where?: { [K in keyof E['filters']]?: (value: NonNullable<z.output<E['filters'][K]>>) => RawBuilder<unknown> }
  /** Orders that are not a column's own. */
  orders?: { [K in E['sorts'][number]]?: Order }
  /** Names of what still uses the thing, whoever may see it. */
  uses: (tx: Tx, id: number) => Promise<string[]>
  /** Rows in other tables that are typed and saved with it. */
  parts?: { [K in Part<E>]: PartKept<Editable<E>[K]> }
}

type PartKept<P> = {
  find: (db: Reader, id: number) => Promise<P>
  keep: (tx: Tx, id: number, part: P) => Promise<unknown>
}

/**
 * How a plain thing is read and written, from its declaration: in sight or not there at all, refused by the database's
 * constraints, merged with what somebody else saved meanwhile, audited with what was and what is. A rule of its own
 * stands in an ordinary function around these.
 */
export function kept<E extends Entity, T extends keyof Tables>(entity: E, where: Kept<E, T>) {
  const one: Keeping = {
    entity,
    table: where.table,
    columns: columnsOf(entity),
    parts: Object.entries((where.parts ?? {}) as Record<string, PartKept<unknown>>),
  }
  return {
    /** Held until the transaction ends. @throws Refusal request.notFound, also for what is out of sight */
    load: (ctx: CommandContext, id: number) => load(one, ctx, id) as Promise<Selectable<Tables[T]> & Row>,
    audit: (ctx: CommandContext, row: Facts, before: Facts | null, after: Facts | null) =>
      audit(one, ctx, row, before, after),
    list: (ctx: QueryContext, input: Filter) =>
      findPage(ctx.db, entity, where, sightOf(ctx.actor), input) as Promise<Page<Item<E>>>,
    get: async (ctx: QueryContext, { id }: Id) => {
      const found = (await findOne(ctx.db, entity, where, sightOf(ctx.actor), id)) ?? refuse('request.notFound')
      return { ...found, ...(await partsOf(one, ctx.db, id)) } as Whole<E>
    },
    add: (ctx: CommandContext, input: Editable<E> & { merchantId?: number }) => add(one, ctx, input),
    edit: (ctx: CommandContext, input: Editable<E> & Row) => edit(one, ctx, input),
    /** @param verb of the table of its states, which alone says where it leads */
    move: (verb: string) => (ctx: CommandContext, input: Id) => move(one, ctx, input, verb),
    remove: async (ctx: CommandContext, { id }: Id): Promise<Id> => {
      const row = await load(one, ctx, id)
      refuseInUse(await where.uses(ctx.tx, id))
      const before = await typedOf(one, ctx, row)
      await untyped(ctx.tx).deleteFrom(one.table).where('id', '=', id).execute()
      await audit(one, ctx, row, before, null)
      return { id }
    },
  }
}

type Id = { id: number }
type Row = Id & { version: number }
type Keeping = { entity: Entity; table: string; columns: string[]; parts: [string, PartKept<unknown>][] }

async function load({ entity, table }: Keeping, ctx: CommandContext, id: number): Promise<Facts & Row> {
  const found = await untyped(ctx.tx)
    .selectFrom(table)
    .selectAll()
    .where('id', '=', id)
    .where(inSight(entity, table, sightOf(ctx.actor)))
    .forUpdate()
    .executeTakeFirst()
  return (found as (Facts & Row) | undefined) ?? refuse('request.notFound')
}

async function add(one: Keeping, ctx: CommandContext, input: Facts): Promise<Id> {
  const { merchantId, ...wanted } = input
  const owner = one.entity.owner === 'merchant' ? { merchantId: await merchantOf(ctx, Number(merchantId)) } : {}
  const values = { ...owner, ...only(one.columns, wanted), createdAt: ctx.now() }
  const write = untyped(ctx.tx).insertInto(one.table).values(values).returning('id').executeTakeFirstOrThrow()
  const id = Number((await unlessTaken(one, wanted, write)).id)
  await keepParts(one, ctx, id, wanted)
  await audit(one, ctx, { ...owner, id }, null, wanted)
  return { id }
}

async function edit(one: Keeping, ctx: CommandContext, { id, version, ...wanted }: Facts & Row): Promise<Id> {
  const row = await load(one, ctx, id)
  const before = await typedOf(one, ctx, row)
  refuseStale(ctx, { version }, row, before, wanted)
  await unlessTaken(one, wanted, save(one, ctx, row, only(one.columns, wanted)))
  await keepParts(one, ctx, id, wanted)
  await audit(one, ctx, row, before, wanted)
  return { id }
}

async function move(one: Keeping, ctx: CommandContext, { id }: Id, verb: string): Promise<Id> {
  const row = await load(one, ctx, id)
  const { table, refusal: code } = one.entity.states ?? neverHere(`${one.entity.kind} has no states`)
  const { from, to } = table.moves[verb] ?? neverHere(`${one.entity.kind} has no verb ${verb}`)
  if (!from.includes(String(row.state))) refuse(code, { name: nameOf(row) })
  await save(one, ctx, row, { state: to })
  await audit(one, ctx, row, { state: row.state }, { state: to })
  return { id }
}

const save = ({ table }: Keeping, ctx: CommandContext, { id, version }: Row, change: Facts): Promise<unknown> =>
  untyped(ctx.tx)
    .updateTable(table)
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .execute()

const audit = ({ entity }: Keeping, ctx: CommandContext, row: Facts, before: Facts | null, after: Facts | null) =>
  // What is nobody's is the platform's: it is shown with who changed it.
  ctx.audit({
    merchantId: Number(row.merchantId ?? ctx.actor.merchantId),
    objectKind: entity.kind,
    objectId: Number(row.id),
    before,
    after,
  })

/** All of it that a person types, as it is kept. */
const typedOf = async (one: Keeping, ctx: CommandContext, row: Facts & Row): Promise<Facts> => ({
  ...only(one.columns, row),
  ...(await partsOf(one, ctx.tx, row.id)),
})

async function partsOf({ parts }: Keeping, db: Reader, id: number): Promise<Facts> {
  const found = await Promise.all(parts.map(async ([name, part]) => [name, await part.find(db, id)]))
  return Object.fromEntries(found)
}

async function keepParts({ parts }: Keeping, ctx: CommandContext, id: number, wanted: Facts): Promise<void> {
  for (const [name, part] of parts) await part.keep(ctx.tx, id, wanted[name])
}

/** `Kept` has checked the names against the table; the builder can't follow a table that is a parameter. */
const untyped = (db: Reader) => db as unknown as Kysely<Record<string, Facts>>

const only = (names: readonly string[], row: Facts): Facts => Object.fromEntries(names.map((name) => [name, row[name]]))

const neverHere = (what: string): never => {
  throw new RangeError(what)
}

const nameOf = (row: Facts) => String(row.name ?? row.code ?? row.id)

async function merchantOf(ctx: CommandContext, id: number): Promise<number> {
  const found = await ctx.tx
    .selectFrom('merchant')
    .select('id')
    .where('id', '=', id)
    .where(merchantInSight(sightOf(ctx.actor), sql.ref('merchant.id')))
    .executeTakeFirst()
  return found?.id ?? refuse('request.notFound')
}

const unlessTaken = <R>({ entity }: Keeping, wanted: Facts, write: Promise<R>): Promise<R> =>
  Object.entries(entity.unique ?? {}).reduce(
    (asked, [constraint, code]) => refusedBy(constraint, asked, () => refusal(code, { name: nameOf(wanted) })),
    write,
  )
