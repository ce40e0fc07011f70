import { runState } from '@aisle/contract/settlement/states'
import type { closeRun, refuseCloseRun, uploadStatement } from '@aisle/contract/settlement/run'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { CommandContext, Tx } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { refuse } from '../../kernel/refuse'
import { readUpload } from '../payment/public'
import { match } from './match.commands'
import { dayEnd, dayStart, holdRun, lockRun, type Run } from './run.store'
import { settleRun } from './settle.commands'
import { isOfDay, statementLines } from './statement.rules'
import { keepFile } from './statement.store'

type Id = { id: number }

const audit = (ctx: CommandContext, run: Run, after: Record<string, unknown>) =>
  ctx.audit({
    merchantId: run.merchantId,
    objectKind: 'settlementRun',
    objectId: run.id,
    before: { day: run.day, provider: run.provider, state: run.state },
    after,
  })

/** What has come since is found; a day without a bill has the channel asked as soon as this is committed. */
export async function rerun(ctx: CommandContext, { id }: Id) {
  const run = await holdRun(ctx, id, 'match')
  if (runState.is(run.state, 'waiting')) {
    const files = await sql`select 1 from statement_file where run_id = ${id}`.execute(ctx.tx)
    if (files.rows.length === 0) {
      await addJob(ctx.tx, 'settlement.fetchOne', { runId: id })
      await audit(ctx, run, { asked: 'bill' })
      return { id, state: run.state }
    }
  }
  await match(ctx.tx, run, ctx.now())
  // A channel that was silent for too long is asked once more, under the same number.
  for (const asked of await findAsked(ctx.tx, run)) await addJob(ctx.tx, 'settlement.refund', { id: asked })
  await audit(ctx, run, { state: runState.to('match') })
  return { id, state: runState.to('match') }
}

export async function upload(ctx: CommandContext, input: InputOf<typeof uploadStatement>) {
  const { id, name } = input
  const run = await holdRun(ctx, id, 'match')
  const uploaded = { provider: run.provider, base64: input.content, day: run.day }
  const read = await readUpload(uploaded, ctx.actor.userId)
  if (read.kind === 'unreadable' || read.kind === 'totals') return refuse(`statement.${read.kind}`)
  await refuseOther(ctx, run, read.accounts)
  const lines = statementLines(read)
  const bounds = await sql<{ from: Date; to: Date }>`select ${dayStart(run)} as from, ${dayEnd(run)} as to`.execute(
    ctx.tx,
  )
  const [day] = bounds.rows
  if (day && !isOfDay(lines, day.from, day.to)) refuse('statement.otherDay', { day: run.day })
  const file = { kind: read.kind, name, content: Buffer.from(input.content, 'base64'), lines }
  const kept = await keepFile(ctx.tx, file, { runId: id, source: 'uploaded', by: ctx.actor.userId, at: ctx.now() })
  if (kept === 'other') refuse('statement.other')
  if (kept === 'new') await match(ctx.tx, run, ctx.now())
  const state = kept === 'new' ? runState.to('match') : run.state
  await audit(ctx, run, { file: name, lines: lines.length, kept, state })
  return { id, state, isNew: kept === 'new', lineCount: lines.length }
}

/** A bill is never taken back, so one of another number at the provider must not come in. */
async function refuseOther(ctx: CommandContext, run: Run, accounts: readonly string[]): Promise<void> {
  const found = await sql<{ no: string }>`select provider_no as no from provider_account
    where id = ${run.providerAccountId}`.execute(ctx.tx)
  const no = found.rows[0]?.no ?? ''
  if (no !== '' && accounts.some((account) => account !== no)) refuse('statement.otherAccount', { no })
}

/** Decided to go back, and the channel has not taken that yet: it may refuse. */
async function findAsked(tx: Tx, run: Run): Promise<number[]> {
  const asked = await sql<Id>`select d.id from settlement_difference d
    where d.run_id = ${run.id} and d.state = 'decided' and d.decision = 'refund' and not exists (
      select 1 from settlement_difference_event e
      where e.difference_id = d.id and e.verb = 'channel' and e.note ~ '^(accepted|refunded)')`.execute(tx)
  return asked.rows.map(({ id }) => id)
}

const countOpen = async (tx: Tx, run: Run): Promise<number> =>
  run.openCount + run.waitingCount + (await findAsked(tx, run)).length

async function refuseOpen(ctx: CommandContext, run: Run): Promise<void> {
  const count = await countOpen(ctx.tx, run)
  if (count > 0) refuse('settlementRun.open', { count })
}

export async function askClose(ctx: CommandContext, { id }: Id) {
  const run = await holdRun(ctx, id, 'askClose')
  await refuseOpen(ctx, run)
  const state = runState.to('askClose')
  await sql`update settlement_run set state = ${state}, asked_by = ${ctx.actor.userId}, asked_at = ${ctx.now()},
    version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, run, { state })
  return { id, state }
}

export async function refuseClose(ctx: CommandContext, { id, reason }: InputOf<typeof refuseCloseRun>) {
  const run = await holdRun(ctx, id, 'refuseClose')
  const state = runState.to('refuseClose')
  await sql`update settlement_run set state = ${state}, asked_by = null, asked_at = null, version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await audit(ctx, run, { state, reason })
  return { id, state }
}

/** By another person than who asked; what was sold that day goes to its merchants. */
export async function close(ctx: CommandContext, { id }: InputOf<typeof closeRun>) {
  const run = await holdRun(ctx, id, 'close')
  if (run.askedBy === ctx.actor.userId) refuse('settlementRun.samePerson')
  await refuseOpen(ctx, run)
  const settledFen = await closeAndSettle(ctx.tx, run, { verb: 'close', by: ctx.actor.userId, now: ctx.now() })
  await audit(ctx, run, { state: runState.to('close'), settledFen })
  return { id, state: runState.to('close'), settledFen }
}

/** A day where nothing differs closes by itself. @returns false where a person has to look */
export async function closeClean(tx: Tx, id: number, now: Date): Promise<boolean> {
  const run = await lockRun(tx, id)
  if (!run || !runState.can(run.state, 'closeClean') || (await countOpen(tx, run)) > 0) return false
  const touched = await sql`select 1 from settlement_difference where run_id = ${id} and state = 'decided'
    limit 1`.execute(tx)
  if (touched.rows.length > 0) return false
  await closeAndSettle(tx, run, { verb: 'closeClean', by: null, now })
  return true
}

type Closing = { verb: 'close' | 'closeClean'; by: number | null; now: Date }

async function closeAndSettle(tx: Tx, run: Run, { verb, by, now }: Closing): Promise<number> {
  await sql`update settlement_run set state = ${runState.to(verb)}, closed_by = ${by}, closed_at = ${now},
    version = version + 1 where id = ${run.id}`.execute(tx)
  return settleRun(tx, run, now)
}
