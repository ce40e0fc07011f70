import { exportableOf } from '@aisle/contract/exports'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { onOff } from '@aisle/contract/kernel/states'
import type { editKeptReport, keepReport, KeptPeriod } from '@aisle/contract/report/kept'
import { auditAs } from '../../../kernel/audit'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { CommandContext, Tx } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { addJob } from '../../../kernel/jobs'
import { must } from '../../../kernel/must'
import { refuse } from '../../../kernel/refuse'
import { daysOf, nextRun } from './kept.rules'
import * as store from './kept.store'
import { openList } from '../exported'
import { findOwn, mayAskMore, REPORT_JOB } from '../request.commands'
import { insert, type Wanted } from '../request.store'

const MOST_KEPT = 50
type Id = { id: number }
const audit = auditAs('keptReport')

export async function keep(ctx: CommandContext, { requestId, roleIds, ...input }: InputOf<typeof keepReport>) {
  const { list, query, columns, language } = await findOwn(ctx, requestId)
  return add(ctx, { ...input, list, query: filterOf(list, input.period, query), columns, language }, roleIds)
}

/** What is shared becomes a report of one's own: made under one's own sight, at hours of one's own. */
export async function takeOver(ctx: CommandContext, { id }: Id) {
  const { name, list, query, columns, format, period } = await store.holdKept(ctx, id)
  const own = { name, list, query, columns, format, period, language: ctx.language }
  return add(ctx, { ...own, cadence: 'never', atHour: 8 }, [])
}

type Made = Wanted & Pick<InputOf<typeof keepReport>, 'name' | 'period' | 'cadence' | 'atHour'>

async function add(ctx: CommandContext, made: Made, roleIds: readonly number[]) {
  const { userId, merchantId } = ctx.actor
  openList(ctx.actor, made.list)
  if ((await store.countKept(ctx.tx, userId)) >= MOST_KEPT) refuse('keptReport.tooMany', { most: MOST_KEPT })
  const whole = { ...made, userId, merchantId, at: ctx.now(), nextAt: nextRun(made, ctx.now()) }
  const id = await store.insertKept(ctx.tx, whole)
  await store.share(ctx.tx, id, merchantId, roleIds)
  const { name, list, query, period, cadence, atHour } = made
  await audit(ctx, { id }, null, { name, list, query, period, cadence, atHour, roleIds })
  return { id }
}

/** The filter without its days, where those move on. @throws Refusal for a list that has none */
function filterOf(list: string, period: KeptPeriod, { from, to, ...query }: Readonly<Record<string, string>>) {
  if (period === 'fixed') return { ...query, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const { shape } = must(exportableOf(list), `list ${list}`).list.input as { shape?: Record<string, unknown> }
  if (!shape || !('from' in shape && 'to' in shape)) refuse('keptReport.noPeriod')
  return query
}

async function holdOwn(ctx: CommandContext, id: number): Promise<store.Kept> {
  const held = await store.holdKept(ctx, id)
  if (held.userId !== ctx.actor.userId) refuse('keptReport.notOwn')
  return held
}

const told = ({ name, period, format, cadence, atHour }: Omit<InputOf<typeof editKeptReport>, 'id' | 'version'>) => ({
  name,
  period,
  format,
  cadence,
  atHour,
})

export async function edit(ctx: CommandContext, { id, version, ...input }: InputOf<typeof editKeptReport>) {
  const held = await holdOwn(ctx, id)
  refuseStale(ctx, { version }, held, { ...held, roleIds: input.roleIds }, input)
  // Fixed days are gone once they moved on.
  if (input.period === 'fixed' && held.period !== 'fixed') refuse('keptReport.noPeriod')
  filterOf(held.list, input.period, held.query)
  const nextAt = onOff.is(held.state, 'active') ? nextRun(input, ctx.now()) : null
  await store.updateKept(ctx.tx, id, { ...input, nextAt })
  await store.share(ctx.tx, id, held.merchantId, input.roleIds)
  await audit(ctx, held, told({ ...held, roleIds: [] }), { ...told(input), roleIds: input.roleIds })
  return { id }
}

export async function stop(ctx: CommandContext, { id }: Id) {
  return moveOn(ctx, id, 'stop')
}

export async function resume(ctx: CommandContext, { id }: Id) {
  return moveOn(ctx, id, 'resume')
}

async function moveOn(ctx: CommandContext, id: number, verb: 'stop' | 'resume') {
  const held = await holdOwn(ctx, id)
  const nextAt = verb === 'resume' ? nextRun(held, ctx.now()) : null
  const state = await store.keptReports.move(ctx.tx, held, verb, { nextAt })
  await audit(ctx, held, { state: held.state }, { state })
  return { id }
}

export async function remove(ctx: CommandContext, { id }: Id) {
  const held = await holdOwn(ctx, id)
  await store.deleteKept(ctx.tx, id)
  await audit(ctx, held, told({ ...held, roleIds: [] }), null)
  return { id }
}

/** By hand, for who owns it. */
export async function run(ctx: CommandContext, { id }: Id) {
  const held = await holdOwn(ctx, id)
  await mayAskMore(ctx)
  const requestId = await make(ctx.tx, held, ctx.now())
  await audit(ctx, held, null, { requestId })
  return { id }
}

/** Its file is asked for, of the days that its period is today. */
export async function make(tx: Tx, kept: store.Kept, now: Date): Promise<number> {
  const { day } = businessTime(now, PLATFORM_TIME_ZONE)
  const query = { ...kept.query, ...daysOf(kept.period, day) }
  const id = await insert(tx, { ...kept, query, keptReportId: kept.id, at: now })
  await addJob(tx, REPORT_JOB, { id })
  return id
}
