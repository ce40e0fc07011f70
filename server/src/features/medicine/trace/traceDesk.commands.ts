import type { InputOf } from '@aisle/contract/kernel/endpoint'
import {
  type registerTraces,
  type takeBackTraces,
  traceLevels,
  type TraceOutcome,
  type TraceTold,
} from '@aisle/contract/medicine/trace'
import { traceState, type TraceVerb } from '@aisle/contract/medicine/trace.states'
import { readTrace } from '@aisle/contract/medicine/traceCode'
import { sql } from 'kysely'
import type { CommandContext } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { merchantInSight, refuseUnseenMerchant, sightOf } from '../../../kernel/scope'
import { judgeLines, type Line } from './traceDesk.rules'
import {
  findBindable,
  findSlotPlace,
  hangBelow,
  isBatchKnown,
  markDestroyed,
  markReturned,
  merchantsSeen,
} from './traceDesk.store'
import {
  appendTraceEvents,
  type Event,
  withContents,
  lockKnown,
  lockTraces,
  markBound,
  type TraceRow,
} from './trace.store'

type Asked = InputOf<typeof registerTraces>

/** Binds each line for itself: what is wrong comes back with its number and loses nothing of the others. */
export async function register(ctx: CommandContext, input: Asked): Promise<TraceTold> {
  const { merchantId, productCode, batch, level } = input
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  const product = (await findBindable(ctx.tx, merchantId, productCode)) ?? refuse('trace.productUnknown')
  if (product.isMedicine && !(await isBatchKnown(ctx.tx, product.id, batch))) refuse('trace.batchUnknown', { batch })
  const placeId = await placeOf(ctx, input)
  const holder = input.holder === '' ? null : (readTrace(input.holder) ?? refuse('trace.holder'))
  const lines = judgeLines(input.codes, { ...product, level, batch })
  const good = lines.filter((line) => line.fault === null && line.trace?.code !== holder?.code)
  const at = ctx.now()
  const rank = traceLevels.indexOf(level) + 1
  const about = { merchantId, productId: product.id, at }
  const known = await lockTraces(ctx.tx, [
    ...good.flatMap(({ trace }) => (trace ? [{ ...trace, ...about, batch, level: rank }] : [])),
    ...(holder ? [{ ...holder, ...about, batch, level: rank + 1 }] : []),
  ])
  const inSight = await merchantsSeen(
    ctx.tx,
    [...known.values()].map((row) => row.merchantId),
    merchantInSight(sightOf(ctx.actor), sql`merchant.id`),
  )
  const to = { ...about, batch, placeId }
  const outcomes = new Map(good.map((line) => [line, outcomeOf(known.get(line.trace?.code ?? ''), to, inSight)]))
  const taken = good.filter((line) => ['bound', 'known'].includes(outcomes.get(line) ?? ''))
  const top = holder && known.get(holder.code)
  if (top && (top.level <= rank || outcomeOf(top, to, inSight) === 'sold')) refuse('trace.holder')
  const fresh = taken.filter((line) => outcomes.get(line) === 'bound')
  const bound = [
    ...fresh.flatMap(({ trace }) => withContents(known, trace?.code ?? '')),
    ...(top && outcomeOf(top, to, inSight) === 'bound' ? [top] : []),
  ].filter(({ state }) => traceState.can(state, 'bind'))
  await markBound(
    ctx.tx,
    bound.map(({ id }) => ({ ...to, id })),
  )
  if (top) await hangBelow(ctx.tx, top, idsOf(taken, known))
  const verb = placeId === null ? 'receive' : 'load'
  await story(ctx, bound, { ...to, verb, reference: input.reference })
  const told = registeredOf(lines, (line) => line.fault ?? outcomes.get(line) ?? 'doubled')
  await audit(ctx, merchantId, { productCode, batch, level, ...placeNames(input), ...countsOf(told) })
  return told
}

const placeNames = ({ machineCode, slotCode, reference, pictures }: Asked) => {
  return { machineCode, slotCode, reference, pictures }
}

async function placeOf(ctx: CommandContext, input: Asked): Promise<number | null> {
  if (input.machineCode === '') return null
  const slot = (await findSlotPlace(ctx.tx, input.merchantId, input)) ?? refuse('trace.machineUnknown')
  return slot.placeId ?? refuse('trace.slotUnknown')
}

type To = { merchantId: number; productId: number; batch: string; placeId: number | null }

function outcomeOf(row: TraceRow | undefined, to: To, inSight: ReadonlySet<number>): TraceOutcome {
  if (!row) return 'unreadable'
  if (!inSight.has(row.merchantId)) return 'elsewhere'
  if (traceState.is(row.state, 'sold')) return 'sold'
  if (traceState.is(row.state, 'destroyed')) return 'destroyed'
  const isThere = traceState.is(row.state, 'in_stock') && row.placeId === to.placeId
  return isThere && row.productId === to.productId && row.batch === to.batch ? 'known' : 'bound'
}

/** Of both verbs that end a pack. */
type Reasoned = InputOf<typeof takeBackTraces>

export const takeBack = (ctx: CommandContext, input: Reasoned): Promise<TraceTold> =>
  end(ctx, input, {
    verb: 'takeBack',
    outcomeOf: ({ state }) => {
      if (traceState.can(state, 'takeBack')) return 'bound'
      return traceState.is(state, 'returned') ? 'known' : 'notHere'
    },
    mark: markReturned,
  })

export const destroy = (ctx: CommandContext, input: Reasoned): Promise<TraceTold> =>
  end(ctx, input, {
    verb: 'destroy',
    outcomeOf: ({ state }) => {
      if (traceState.can(state, 'destroy')) return 'bound'
      return traceState.is(state, 'destroyed') ? 'known' : 'sold'
    },
    mark: markDestroyed,
  })

type Ending = {
  verb: 'takeBack' | 'destroy'
  outcomeOf: (row: TraceRow) => TraceOutcome
  mark: (tx: CommandContext['tx'], ids: readonly number[], at: Date) => Promise<void>
}

/** What codes stand for came back or is gone, with all that they hold. Of codes out of sight nothing is said. */
async function end(ctx: CommandContext, input: Reasoned, ending: Ending): Promise<TraceTold> {
  const { merchantId, codes, reason } = input
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  const lines = judgeLines(codes, { level: 'pack', batch: '', prefixes: [], gtins: [] }).map((line) => {
    return { ...line, fault: line.fault === 'otherBatch' ? null : line.fault }
  })
  const good = lines.filter(({ fault }) => fault === null)
  const known = await lockKnown(
    ctx.tx,
    good.flatMap(({ trace }) => trace?.code ?? []),
  )
  const outcomeOfLine = ({ fault, trace }: Line): TraceOutcome => {
    const row = known.get(trace?.code ?? '')
    if (fault) return fault
    return row && row.merchantId === merchantId ? ending.outcomeOf(row) : 'notHere'
  }
  const ended = good
    .filter((line) => outcomeOfLine(line) === 'bound')
    .flatMap(({ trace }) => withContents(known, trace?.code ?? ''))
    .filter((row) => ending.outcomeOf(row) === 'bound')
  const rows = [...new Map(ended.map((row) => [row.id, row])).values()]
  await ending.mark(
    ctx.tx,
    rows.map(({ id }) => id),
    ctx.now(),
  )
  await story(ctx, rows, { verb: ending.verb, merchantId, at: ctx.now(), note: reason })
  const told = registeredOf(lines, outcomeOfLine)
  await audit(ctx, merchantId, { verb: ending.verb, reason, ...countsOf(told) })
  return told
}

type Told = Omit<Event, 'traceCodeId' | 'heardAt' | 'verb' | 'userId'> & { verb: TraceVerb }

const story = (ctx: CommandContext, all: readonly TraceRow[], told: Told): Promise<void> =>
  appendTraceEvents(
    ctx.tx,
    [...new Set(all)].map(({ id, productId, batch }) => {
      return { productId, batch, ...told, traceCodeId: id, heardAt: told.at, userId: ctx.actor.userId }
    }),
  )

const idsOf = (lines: readonly Line[], known: ReadonlyMap<string, TraceRow>): number[] =>
  lines.flatMap(({ trace }) => known.get(trace?.code ?? '')?.id ?? [])

function registeredOf(lines: readonly Line[], outcomeOfLine: (line: Line) => TraceOutcome): TraceTold {
  const all = lines.map((line) => ({ line: line.line, code: line.typed, outcome: outcomeOfLine(line) }))
  const count = (which: TraceOutcome) => all.filter(({ outcome }) => outcome === which).length
  const left = all.filter(({ outcome }) => outcome !== 'bound' && outcome !== 'known')
  return { bound: count('bound'), known: count('known'), left }
}

const countsOf = ({ bound, known, left }: TraceTold) => ({ bound, known, left: left.length })

const audit = (ctx: CommandContext, merchantId: number, after: Record<string, unknown>): Promise<void> =>
  ctx.audit({ merchantId, objectKind: 'traceCode', objectId: merchantId, before: null, after })
