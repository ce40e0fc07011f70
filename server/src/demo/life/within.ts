import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Services, Tx } from '../../kernel/context'
import { type As, personsIn, type Run, runIn } from './persons'

const kinds = ['machine', 'merchant', 'point', 'product', 'provider', 'role', 'unit', 'user'] as const
type Kind = (typeof kinds)[number]

export type Past = {
  services: Services
  tx: Tx
  as: As
  run: Run
  at: (ms: number) => void
  /** The present, which the story never passes. */
  latestMs: number
  /** YYYY-MM-DD, so many days from the present. */
  day: (days: number) => string
  /** Numbers of what the story has made, by code or name. */
  ids: Readonly<Record<Kind, Map<string, number>>>
  /** @throws RangeError for what it has not made: a mistake in the demo's data */
  idOf: (kind: Kind, code: string) => number
}

/**
 * The product as it was at some time of the past: what it does is part of one transaction, whoever opens one inside,
 * and its clock is moved by the story.
 */
export function pastWithin(services: Services, tx: Tx): Past {
  const latestMs = services.clock.now().getTime()
  const today = businessTime(new Date(latestMs), PLATFORM_TIME_ZONE).day
  let nowMs = latestMs
  const db = facade(tx, {
    transaction: () => ({ execute: <T>(work: (inner: Tx) => Promise<T>) => work(facade(tx, {})) }),
  })
  const then = { ...services, db: db as Kysely<Tables>, clock: { now: () => new Date(nowMs) } }
  const ids = Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as Past['ids']
  return {
    tx,
    latestMs,
    ids,
    services: then,
    as: personsIn(then, tx),
    run: runIn(then),
    at: (ms) => {
      nowMs = Math.min(ms, latestMs)
    },
    day: (days) => addDays(today, days),
    idOf: (kind, code) => {
      const id = ids[kind].get(code)
      if (id === undefined) throw new RangeError(`the demo names the ${kind} ${code}, which it did not make`)
      return id
    },
  }
}

/** Another object for the same transaction: its books are kept by what it is. */
const facade = (tx: Tx, own: Record<string, unknown>): Tx =>
  new Proxy(tx, {
    get: (target, name) => {
      if (typeof name === 'string' && Object.hasOwn(own, name)) return own[name]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
