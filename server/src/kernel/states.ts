import type { StateTable } from '@aisle/contract/kernel/states'
import { type Kysely, type RawBuilder, type Selectable, type SelectType, sql, type UpdateType } from 'kysely'
import type { Tables } from '../db/tables'
import type { Reader, Tx } from './context'

type StateOf<T extends keyof Tables, C extends keyof Tables[T]> = NonNullable<SelectType<Tables[T][C]>> & string
type Change<T extends keyof Tables, C> = {
  [K in Exclude<keyof Tables[T], C | 'id' | 'version'>]?: UpdateType<Tables[T][K]> | RawBuilder<unknown>
}
type Stateful<T, R> = {
  /** Each move is a change that who edits the row has to have seen. */
  versioned: T extends { version: unknown } ? true : false
  /** @throws Refusal for a row whose state does not allow the verb; where none is given, that is a bug */
  refuse?: (row: R) => never
}

/**
 * How the rows of a table move from state to state: by a verb, from the states from which it leads. Nothing else writes
 * the column, but for statements on many rows that name their verb with the fragments below.
 */
export function stateful<
  T extends keyof Tables,
  C extends keyof Tables[T] & string,
  V extends string,
  N extends string,
  R extends { id: number } = { id: number },
>(
  table: Tables[T] extends { id: unknown } ? T : never,
  column: C,
  states: StateTable<StateOf<T, C>, V, N>,
  more: Stateful<Tables[T], R>,
) {
  type Held = R & { [K in C]: StateOf<T, C> }
  const moves = movesOf<R>(table, column, states, more)
  return {
    must: (row: Held, verb: V) => moves.must(row, verb),
    /** By compare-and-set: who came first has moved it. */
    move: (tx: Tx, row: Held, verb: V, change: Change<T, C> = {}) =>
      moves.move(tx, row, verb, change) as Promise<StateOf<T, C>>,
    /** All that the condition holds for and that the verb leads on from. @returns them as they are now */
    moveAll: (tx: Tx, which: RawBuilder<unknown>, verb: V, change: Change<T, C> = {}) =>
      moves.moveAll(tx, which, verb, change) as Promise<unknown> as Promise<Selectable<Tables[T]>[]>,
  }
}

type Facts = Record<string, unknown>
type Moves = { moves: Record<string, { from: readonly string[]; to: string }> }

/** The same of a table that is only known when it runs. */
export function movesOf<R extends { id: number }>(
  table: string,
  column: string,
  { moves }: Moves,
  { versioned, refuse }: { versioned: boolean; refuse?: (row: R) => never },
) {
  const named = (verb: string) => {
    const move = moves[verb]
    if (!move) throw new RangeError(`${table} has no verb ${verb}`)
    return move
  }
  const stateOf = (row: R) => String((row as Facts)[column])
  const bug = (row: R, verb: string): never => {
    throw new RangeError(`${table} ${row.id} is ${stateOf(row)}, from where ${verb} does not lead`)
  }
  const must = (row: R, verb: string): void => {
    if (!named(verb).from.includes(stateOf(row))) (refuse ?? bug)(row, verb)
  }
  const write = (tx: Tx, verb: string, from: readonly string[], change: Facts) =>
    untyped(tx)
      .updateTable(table)
      .set({ ...change, [column]: named(verb).to, ...(versioned && { version: sql`version + 1` }) })
      .where(column, 'in', from)
  return {
    must,
    move: async (tx: Tx, row: R, verb: string, change: Facts): Promise<string> => {
      must(row, verb)
      const { numUpdatedRows } = await write(tx, verb, [stateOf(row)], change)
        .where('id', '=', row.id)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) (refuse ?? bug)(row, verb)
      return named(verb).to
    },
    moveAll: (tx: Tx, which: RawBuilder<unknown>, verb: string, change: Facts): Promise<Facts[]> =>
      write(tx, verb, named(verb).from, change).where(sql<boolean>`${which}`).returningAll().execute(),
  }
}

/** Whoever uses it has checked the names; the builder can't follow a table that is a parameter. */
export const untyped = (db: Reader) => db as unknown as Kysely<Record<string, Facts>>

/*
 * For statements that move or ask many at once: `set state = ${stateTo(table, 'expire')}`, `where state in
 * ${statesFrom(table, 'expire')}`, `where state in ${statesIn(table, 'open')}`. They are written out, so that the
 * planner sees which partial index they belong to.
 */
export const stateTo = <V extends string>(states: { to: (verb: V) => string }, verb: NoInfer<V>) =>
  sql.lit(states.to(verb))

export const statesFrom = <V extends string>(states: { from: (verb: V) => readonly string[] }, verb: NoInfer<V>) =>
  listed(states.from(verb))

export const statesIn = <N extends string>(
  states: { sets: Readonly<Record<N, readonly string[]>> },
  name: NoInfer<N>,
) => listed(states.sets[name])

const listed = (states: readonly string[]) => sql`(${sql.join(states.map((state) => sql.lit(state)))})`
