import type {
  approveSplitRelease,
  refuseSplitRelease,
  releaseSplitLine,
  sendSplitAgain,
  writeOffSplitReturn,
} from '@aisle/contract/settlement/split'
import { splitLineState, type SplitReturnState } from '@aisle/contract/settlement/splitStates'
import { settlementSecondPerson } from '@aisle/contract/system/settings'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { addJob } from '../../../kernel/jobs'
import { must } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { settledInSight } from '../batch/batch.store'
import { settingOf } from '../../../kernel/settings'
import { SEND_SPLITS } from './split.make'
import { againRefusal, releasePostings } from './split.rules'
import { holdSplit, type LineRow, lines, linesOf, moveOn, post, returns, type SplitRow, splits } from './split.store'

const audit = auditAs('split')

/** What failed goes out again, under a new number: of the old one the channel has said that it is over. */
export async function sendAgain(ctx: CommandContext, { id }: InputOf<typeof sendSplitAgain>) {
  const split = await holdSplit(ctx, id)
  splits.must(split, 'again')
  const failed = (await linesOf(ctx.tx, id)).filter(({ state }) => splitLineState.can(state, 'again'))
  const able = failed.filter((line) => againRefusal(line, ctx.now()) === null)
  const [first] = failed
  if (able.length === 0) refuse((first && againRefusal(first, ctx.now())) ?? 'split.state')
  for (const line of able) await lines.move(ctx.tx, line, 'again')
  const state = await splits.move(ctx.tx, split, 'again', { nextAt: ctx.now(), asks: 0 })
  await audit(ctx, split, { state: split.state }, { state, lines: able.map(({ name }) => name).join(', ') })
  await addJob(ctx.tx, SEND_SPLITS)
  return { id, state }
}

export async function release(ctx: CommandContext, { id, reason }: InputOf<typeof releaseSplitLine>) {
  const { split, line } = await holdLine(ctx, id)
  if (!splitLineState.is(line.state, 'failed')) refuse('split.state')
  const limitFen = await settingOf(ctx.tx, settlementSecondPerson, split.merchantId)
  if (line.dueFen > limitFen) {
    const state = await lines.move(ctx.tx, line, 'propose', { proposedBy: ctx.actor.userId, reason })
    await audit(ctx, split, { state: line.state }, { state, line: line.name, reason })
    return { id, state }
  }
  return giveToMerchant(ctx, split, line, reason)
}

export async function approveRelease(ctx: CommandContext, { id }: InputOf<typeof approveSplitRelease>) {
  const { split, line } = await holdLine(ctx, id)
  if (!splitLineState.is(line.state, 'proposed')) refuse('split.state')
  if (line.proposedBy === ctx.actor.userId) refuse('split.samePerson')
  return giveToMerchant(ctx, split, line, null)
}

export async function refuseRelease(ctx: CommandContext, { id, reason }: InputOf<typeof refuseSplitRelease>) {
  const { split, line } = await holdLine(ctx, id)
  const state = await lines.move(ctx.tx, line, 'refuse', { proposedBy: null, reason })
  await audit(ctx, split, { state: line.state }, { state, line: line.name, reason })
  return { id, state }
}

async function giveToMerchant(ctx: CommandContext, split: SplitRow, line: LineRow, reason: string | null) {
  const by = { decidedBy: ctx.actor.userId, ...(reason === null ? {} : { reason }) }
  const state = await lines.move(ctx.tx, line, 'release', by)
  const postings = releasePostings({ merchantId: split.merchantId, receiverId: line.receiverId }, line.dueFen)
  await post(ctx.tx, split, `released/${line.id}`, postings, ctx.now())
  await moveOn(ctx.tx, split, ctx.now())
  await audit(ctx, split, { state: line.state }, { state, line: line.name, amountFen: line.dueFen, reason })
  await addJob(ctx.tx, SEND_SPLITS)
  return { id: line.id, state }
}

async function holdLine(ctx: CommandContext, id: number): Promise<{ split: SplitRow; line: LineRow }> {
  const found = await sql<{ splitId: number }>`select split_id as "splitId" from split_line where id = ${id}`.execute(
    ctx.tx,
  )
  const split = await holdSplit(ctx, existing(found.rows[0]).splitId)
  const line = (await linesOf(ctx.tx, split.id)).find((each) => each.id === id)
  return { split, line: must(line, `share ${id}`) }
}

type Claim = { id: number; merchantId: number; state: SplitReturnState; openFen: number }

/** The merchant bears what the receiver will not give back; nothing moves that had not moved before. */
export async function writeOff(ctx: CommandContext, { id, reason }: InputOf<typeof writeOffSplitReturn>) {
  const found = await sql<Claim>`select r.id, s.merchant_id as "merchantId", r.state,
      (r.amount_fen - r.settled_fen)::bigint as "openFen"
    from split_return r join split_line l on l.id = r.line_id join split s on s.id = l.split_id
    where r.id = ${id} and ${settledInSight(sightOf(ctx.actor), sql`s.merchant_id`)} for update of r`.execute(ctx.tx)
  const claim = existing(found.rows[0])
  returns.must(claim, 'writeOff')
  const by = { reason, decidedBy: ctx.actor.userId, endedAt: ctx.now() }
  const state = await returns.move(ctx.tx, claim, 'writeOff', by)
  await auditAs('splitReturn')(ctx, claim, { state: claim.state }, { state, amountFen: claim.openFen, reason })
  return { id, state }
}
