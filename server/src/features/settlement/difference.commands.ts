import type { decideDifference, refuseDifference } from '@aisle/contract/settlement/difference'
import { type Decision, decisionsOf, differenceState } from '@aisle/contract/settlement/states'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { settlementSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { refuse } from '../../kernel/refuse'
import { settingOf } from '../../kernel/settings'
import { postTransfers } from '../ledger/public'
import { settleUnclaimed } from '../refund/public'
import { type Held, holdDifference, record } from './difference.store'
import { writeOffPostings } from './posting.rules'
import { bookedDay, countDifferences } from './run.store'

type Id = { id: number }

/** Whoever takes it is its owner; it may be taken from somebody. */
export async function take(ctx: CommandContext, { id }: Id) {
  const held = await holdDifference(ctx, id, null)
  if (differenceState.is(held.state, 'settled')) refuse('settlementDifference.state', { id })
  await sql`update settlement_difference set owner_id = ${ctx.actor.userId}, version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await record(ctx, held, { verb: 'take', after: { ownerId: ctx.actor.userId } })
  return { id, state: held.state }
}

/** Asking the channel settles nothing; all else is an end, above the limit only once another person agrees. */
export async function decide(ctx: CommandContext, { id, decision, reason }: InputOf<typeof decideDifference>) {
  const held = await holdDifference(ctx, id, decision === 'ask_channel' ? 'askChannel' : 'decide')
  if (differenceState.is(held.state, 'proposed')) refuse('settlementDifference.state', { id })
  if (!decisionsOf[held.kind].includes(decision)) refuse('settlementDifference.decision')
  await refuseWithout(ctx, held, decision)
  if (decision === 'ask_channel') return ask(ctx, held, reason)
  const decided = { ...held, decision, reason }
  if (Math.abs((held.theirFen ?? 0) - (held.ourFen ?? 0)) > (await limitOf(ctx, held))) return propose(ctx, decided)
  await sql`update settlement_difference set proposed_by = ${ctx.actor.userId}, proposed_at = ${ctx.now()}
    where id = ${id}`.execute(ctx.tx)
  return carryOut(ctx, decided, { verb: 'decide', by: null })
}

export const limitOf = (ctx: Pick<CommandContext, 'db'>, { merchantId }: Pick<Held, 'merchantId'>): Promise<number> =>
  settingOf(ctx.db, settlementSecondPerson, merchantId)

/** Money that nobody of ours asked for, or whose order was paid, has no order to be booked on. */
async function refuseWithout(ctx: CommandContext, held: Held, decision: Decision): Promise<void> {
  if (decision !== 'take_order') return
  const found = await sql`select 1 from statement_line l join payment_attempt a on a.attempt_no = l.attempt_no
    where l.id = ${held.lineId} and a.state <> 'paid'`.execute(ctx.tx)
  if (found.rows.length === 0) refuse('settlementDifference.noOrder')
}

async function ask(ctx: CommandContext, held: Held, reason: string) {
  const state = differenceState.to('askChannel')
  await sql`update settlement_difference set state = ${state}, reason = ${reason}, version = version + 1,
    owner_id = coalesce(owner_id, ${ctx.actor.userId}) where id = ${held.id}`.execute(ctx.tx)
  await record(ctx, held, { verb: 'ask_channel', note: reason, after: { state } })
  return { id: held.id, state }
}

async function propose(ctx: CommandContext, held: Held) {
  const state = differenceState.to('propose')
  await sql`update settlement_difference set state = ${state}, decision = ${held.decision}, reason = ${held.reason},
    proposed_by = ${ctx.actor.userId}, proposed_at = ${ctx.now()}, version = version + 1,
    owner_id = coalesce(owner_id, ${ctx.actor.userId}) where id = ${held.id}`.execute(ctx.tx)
  await record(ctx, held, { verb: 'propose', note: held.reason ?? '', after: { state, decision: held.decision } })
  return { id: held.id, state }
}

export async function approve(ctx: CommandContext, { id }: Id) {
  const held = await holdDifference(ctx, id, 'decide')
  if (!differenceState.is(held.state, 'proposed') || !held.decision) refuse('settlementDifference.state', { id })
  if (held.proposedBy === ctx.actor.userId) refuse('settlementDifference.samePerson')
  await refuseWithout(ctx, held, held.decision ?? 'accept')
  return carryOut(ctx, held, { verb: 'approve', by: ctx.actor.userId })
}

export async function sendBack(ctx: CommandContext, { id, reason }: InputOf<typeof refuseDifference>) {
  const held = await holdDifference(ctx, id, 'refuse')
  const state = differenceState.to('refuse')
  await sql`update settlement_difference set state = ${state}, decision = null, reason = null, proposed_by = null,
    proposed_at = null, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await record(ctx, held, { verb: 'refuse', note: reason, after: { state } })
  return { id, state }
}

/** What was decided happens: in the ledger now, at the channel by a job after the commit. */
async function carryOut(ctx: CommandContext, held: Held, { verb, by }: { verb: string; by: number | null }) {
  const { id, decision, reason } = held
  const state = differenceState.to('decide')
  await sql`update settlement_difference set state = ${state}, decision = ${decision}, reason = ${reason},
    approved_by = ${by}, decided_at = ${ctx.now()}, version = version + 1,
    owner_id = coalesce(owner_id, ${ctx.actor.userId}) where id = ${id}`.execute(ctx.tx)
  if (held.kind === 'only_theirs') await settleCaseOf(ctx, held)
  if (decision === 'write_off') await writeOff(ctx, held)
  if (decision === 'take_order' || decision === 'refund') await addJob(ctx.tx, `settlement.${decision}`, { id })
  await countDifferences(ctx.tx, held.channelId)
  await record(ctx, held, { verb, note: `${decision}: ${reason}`.slice(0, 500), after: { state, decision } })
  return { id, state }
}

/** The provider may have told of the same money before its bill did: then one of both cases is decided. */
async function settleCaseOf(ctx: CommandContext, { lineId }: Held): Promise<void> {
  const found = await sql<{ providerAccountId: number; channelNo: string }>`
    select c.provider_account_id as "providerAccountId", l.channel_no as "channelNo" from statement_line l
    join settlement_run r on r.id = l.run_id join settlement_channel c on c.id = r.channel_id
    where l.id = ${lineId}`.execute(ctx.tx)
  const [money] = found.rows
  if (money && !(await settleUnclaimed(ctx.tx, money, ctx.now()))) refuse('settlementDifference.unclaimed')
}

async function writeOff(ctx: CommandContext, held: Held): Promise<void> {
  await postTransfers(ctx.tx, [
    {
      kind: 'decision',
      reference: String(held.id),
      merchantId: held.merchantId,
      postedAt: ctx.now(),
      businessDay: bookedDay(held.day, ctx.now()),
      postings: writeOffPostings(held),
    },
  ])
}
