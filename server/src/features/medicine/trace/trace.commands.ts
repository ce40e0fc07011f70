import { readSoldTrace } from '@aisle/contract/medicine/traceCode'
import { traceState } from '@aisle/contract/medicine/trace.states'
import type { Tx } from '../../../kernel/context'
import {
  appendTraceEvents,
  countedSales,
  withContents,
  keepSales,
  lockTraces,
  markBound,
  markSold,
  type Sale,
  saleKey,
  type Seen,
  type TraceRow,
} from './trace.store'

/** A piece that a machine handed out and named by its code. */
export type SoldTrace = Omit<Sale, 'traceCodeId'> & {
  traceCode: string
  productId: number
  batch: string | null
  heardAt: Date
}

/** What was put into a slot, code by code. */
export type LoadedTraces = {
  codes: readonly string[]
  merchantId: number
  placeId: number
  productId: number
  batch: string | null
  at: Date
  heardAt: Date
  reference: string
}

/**
 * What machines say was put into them and sold by its code. Called once a batch of messages, since all codes are locked
 * at once, in their order. @returns what had been sold before, with the order that counts
 */
export async function takeTraces<S extends SoldTrace>(
  tx: Tx,
  loads: readonly LoadedTraces[],
  sold: readonly S[],
): Promise<{ sold: S; other: string }[]> {
  const loaded = readLoads(loads)
  const read = readSold(sold)
  const known = await lockTraces(
    tx,
    [...loaded, ...read].map(({ seen }) => seen),
  )
  await load(tx, known, loaded)
  return sell(tx, known, read)
}

type Known = ReadonlyMap<string, TraceRow>
type ReadSold<S> = { sold: S; seen: Seen }
type ReadLoad = { load: LoadedTraces; seen: Seen }

const readSold = <S extends SoldTrace>(all: readonly S[]): ReadSold<S>[] =>
  all.flatMap((sold) => {
    const trace = readSoldTrace(sold.traceCode)
    const { merchantId, productId, soldAt: at } = sold
    return trace ? [{ sold, seen: { ...trace, batch: sold.batch ?? trace.batch, merchantId, productId, at } }] : []
  })

const readLoads = (all: readonly LoadedTraces[]): ReadLoad[] =>
  all.flatMap((load) =>
    load.codes.flatMap((code) => {
      const trace = readSoldTrace(code)
      const { merchantId, productId, batch, at } = load
      return trace ? [{ load, seen: { ...trace, batch: batch ?? trace.batch, merchantId, productId, at } }] : []
    }),
  )

/** A sale is a fact and is kept; of two that name one code the later one does not count. */
async function sell<S extends SoldTrace>(tx: Tx, known: Known, read: readonly ReadSold<S>[]) {
  const pieces = read.flatMap(({ sold, seen }) =>
    withContents(known, seen.code).map((row) => ({ sold, row, seen, sale: { ...saleOf(sold), traceCodeId: row.id } })),
  )
  const counted = await keepSales(
    tx,
    pieces.map(({ sale }) => sale),
  )
  const isCounted = ({ sale }: (typeof pieces)[number]) => counted.has(saleKey(sale))
  await markSold(
    tx,
    pieces.filter(isCounted).map(({ seen: { merchantId, productId, batch, at }, row }) => {
      return { id: row.id, merchantId, productId, batch, at }
    }),
  )
  await appendTraceEvents(
    tx,
    pieces.map((piece) => {
      const { heardAt, orderNo: reference } = piece.sold
      const { merchantId, productId, batch, at } = piece.seen
      const verb = isCounted(piece) ? ('sell' as const) : ('sellAgain' as const)
      return { traceCodeId: piece.row.id, merchantId, verb, at, heardAt, productId, batch, reference }
    }),
  )
  const again = pieces.filter((piece) => !isCounted(piece))
  const others = await countedSales(
    tx,
    again.map(({ row }) => row.id),
  )
  return [...new Map(again.map(({ sold, row }) => [sold, { sold, other: others.get(row.id) ?? '' }])).values()]
}

const saleOf = (sold: SoldTrace): Omit<Sale, 'traceCodeId'> => {
  const { merchantId, machineId, orderId, orderNo, orderAt, index, isSecond, soldAt } = sold
  return { merchantId, machineId, orderId, orderNo, orderAt, index, isSecond, soldAt }
}

/** What was sold or destroyed stays what it is; that it is said to be there again shows in its story. */
async function load(tx: Tx, known: Known, read: readonly ReadLoad[]): Promise<void> {
  const pieces = read.flatMap(({ load: { placeId, heardAt, reference }, seen }) =>
    withContents(known, seen.code).map((row) => ({ placeId, heardAt, reference, seen, row })),
  )
  const bound = pieces.filter(({ row }) => traceState.can(row.state, 'bind'))
  await markBound(
    tx,
    bound.map(({ placeId, seen: { merchantId, productId, batch, at }, row }) => {
      return { id: row.id, merchantId, productId, batch, placeId, at }
    }),
  )
  await appendTraceEvents(
    tx,
    pieces.map(({ placeId, heardAt, reference, seen: { merchantId, productId, batch, at }, row }) => {
      return { traceCodeId: row.id, merchantId, verb: 'load', at, heardAt, placeId, productId, batch, reference }
    }),
  )
}
