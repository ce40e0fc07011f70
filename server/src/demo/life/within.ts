import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables'
import type { Services, Tx } from '../../kernel/context'
import { type As, personsIn, type Run, runIn } from './persons'

/** `latestMs`: the present, which the story never passes. */
export type Past = { services: Services; tx: Tx; at: (ms: number) => void; latestMs: number; as: As; run: Run }

/**
 * The product as it was at some time of the past: what it does is part of one transaction, whoever opens one inside,
 * and its clock is moved by the story.
 */
export function pastWithin(services: Services, tx: Tx): Past {
  const latestMs = services.clock.now().getTime()
  let nowMs = latestMs
  const db = facade(tx, {
    transaction: () => ({ execute: <T>(work: (inner: Tx) => Promise<T>) => work(facade(tx, {})) }),
  })
  const then = { ...services, db: db as Kysely<Tables>, clock: { now: () => new Date(nowMs) } }
  return {
    tx,
    latestMs,
    services: then,
    as: personsIn(then, tx),
    run: runIn(then),
    at: (ms) => {
      nowMs = Math.min(ms, latestMs)
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
