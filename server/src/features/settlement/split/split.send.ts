import { FROZEN_DAYS, splitLineState, splitState } from '@aisle/contract/settlement/splitStates'
import { sql } from 'kysely'
import type { Services, Tx } from '../../../kernel/context'
import { statesIn } from '../../../kernel/states'
import { channelOf, type SplitAnswer, type SplitAsk, type SplitStepAnswer } from '../../payment/public'
import { loseReceiver } from './receiver.commands'
import { againAt, donePostings, finishNoOf, hear, losesReceiver, NOT_BOUND, splitNoOf, STOPPED } from './split.rules'
import {
  announceSplit,
  attemptOf,
  type LineRow,
  lines,
  linesOf,
  lockSplit,
  moveOn,
  post,
  type SplitRow,
  splits,
} from './split.store'

/** Longer than a channel is waited for: who takes one and dies leaves it to the next after that. */
export const LEASE_MS = 60_000
const AT_ONCE = 20
const DAY_MS = 86_400_000

/** What the channel is asked, and whether it may have heard of it: then it is asked what became of it first. */
type Claimed = { split: SplitRow; isKnown: boolean; ask: SplitAsk }

/**
 * Sends what was settled, asks what became of the rest, and lets go of what is left over. The intent is committed
 * before the call and the answer after it; whatever breaks between leaves a split that is asked about next, under its
 * own number.
 */
export async function sendSplits(services: Services): Promise<void> {
  for (;;) {
    const ids = await dueSplits(services)
    if (ids.length === 0) return
    for (const id of ids) await step(services, id)
  }
}

async function dueSplits({ db, clock }: Services): Promise<number[]> {
  const found = await sql<{ id: number }>`select id from split
    where next_at <= ${clock.now()} and state in ${statesIn(splitState, 'due')}
    order by next_at, id limit ${sql.lit(AT_ONCE)}`.execute(db)
  return found.rows.map(({ id }) => id)
}

async function step(services: Services, id: number): Promise<void> {
  const claimed = await claim(services, id)
  if (!claimed) return
  const { split, ask, isKnown } = claimed
  // Keys that do not open are no reason to lose it: it is asked about again, and a person reads why.
  const channel = await channelOf(services, split.accountId).catch(() => null)
  const at = channel?.splits
  if (splitState.is(split.state, 'finishing')) {
    const said = at ? await at.finishSplit(ask) : ({ outcome: 'unknown', code: 'noChannel' } as const)
    return takeEnd(services, id, said)
  }
  if (!at) return takeAnswer(services, id, { outcome: 'unknown', shares: [], code: 'noChannel' })
  const before = isKnown ? await at.querySplit(ask) : null
  await takeAnswer(services, id, before && before.outcome !== 'notFound' ? before : await at.split(ask))
}

/** Null where somebody else has it, or nothing of it can be sent. */
async function claim({ db, clock }: Services, id: number): Promise<Claimed | null> {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const split = await lockSplit(tx, id)
    const due = await sql`select 1 from split where id = ${id} and next_at <= ${now}
      and state in ${statesIn(splitState, 'due')}`.execute(tx)
    if (due.rows.length === 0) return null
    const isKnown = splitState.is(split.state, 'underWay')
    const toSend = isKnown
      ? (await linesOf(tx, id)).filter(({ state }) => splitLineState.can(state, 'confirm'))
      : await mayBeSent(tx, split, now)
    if (splitState.is(split.state, 'waiting')) {
      if (toSend.length === 0) {
        await moveOn(tx, split, now)
        await announceSplit(tx, split)
        return null
      }
      split.tries += 1
      split.asks = 0
      split.state = await splits.move(tx, split, 'send', { tries: split.tries, asks: 0 })
      for (const line of toSend) await lines.move(tx, line, 'send', { try: split.tries, code: null, failedAt: null })
    }
    split.asks += 1
    const nextAt = new Date(now.getTime() + LEASE_MS)
    await tx.updateTable('split').set({ nextAt, asks: split.asks }).where('id', '=', id).execute()
    return { split, isKnown, ask: await askOf(tx, split, toSend) }
  })
}

async function askOf(tx: Tx, split: SplitRow, toSend: readonly LineRow[]): Promise<SplitAsk> {
  const isLast = splitState.is(split.state, 'finishing')
  return {
    splitNo: isLast ? finishNoOf(split.id) : splitNoOf(split.id, split.tries),
    attempt: await attemptOf(tx, split.attemptId),
    shares: toSend.map(({ type, account, name, dueFen }) => ({ receiver: { type, account, name }, amountFen: dueFen })),
    reason: split.orderNo,
  }
}

/** Of those that wait, what can go out; a receiver that is not bound or is stopped waits for a person. */
async function mayBeSent(tx: Tx, split: SplitRow, now: Date): Promise<LineRow[]> {
  const waiting = (await linesOf(tx, split.id)).filter(({ state }) => splitLineState.can(state, 'send'))
  const able: LineRow[] = []
  for (const line of waiting) {
    const code = line.isStopped ? STOPPED : line.isBound ? null : NOT_BOUND
    if (line.dueFen === 0) await lines.move(tx, line, 'release')
    else if (code) await lines.move(tx, line, 'fail', { code, failedAt: now })
    else able.push(line)
  }
  return able
}

/** What the channel says becomes what we know; twice is once. */
export async function takeAnswer({ db, clock }: Services, id: number, said: SplitAnswer): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const split = await lockSplit(tx, id)
    if (!splitState.is(split.state, 'underWay')) return
    const sent = (await linesOf(tx, id)).filter(({ state }) => splitLineState.can(state, 'confirm'))
    const asked = sent.map(({ id: lineId, state, account, dueFen }) => ({
      id: lineId,
      state,
      account,
      amountFen: dueFen,
    }))
    const heard = hear(split.state, asked, said)
    for (const { id: lineId, verb, code } of heard.lines) {
      const line = sent.find((each) => each.id === lineId)
      if (line) await endLine(tx, split, line, { verb, code }, now)
    }
    for (const verb of heard.verbs) if (verb !== 'fail') split.state = await splits.move(tx, split, verb)
    const nextAt = againAt(split.asks, now)
    await tx
      .updateTable('split')
      .set({ nextAt, detail: heard.detail?.slice(0, 120) ?? null })
      .where('id', '=', id)
      .execute()
    await moveOn(tx, split, now)
    await announceSplit(tx, split)
  })
}

type End = { verb: 'confirm' | 'fail'; code: string | null }

async function endLine(tx: Tx, split: SplitRow, line: LineRow, { verb, code }: End, now: Date): Promise<void> {
  if (verb === 'fail') {
    await lines.move(tx, line, 'fail', { code: code?.slice(0, 64) ?? null, failedAt: now })
    if (losesReceiver(code)) await loseReceiver(tx, line.receiverId, code)
    return
  }
  await lines.move(tx, line, 'confirm', { code: null, doneAt: now })
  await post(tx, split, `done/${line.id}`, donePostings({ ...split, receiverId: line.receiverId }, line.dueFen), now)
}

/** After so many days the channel has let go by itself, whatever it answers. */
async function takeEnd({ db, clock }: Services, id: number, said: SplitStepAnswer): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const split = await lockSplit(tx, id)
    if (!splitState.is(split.state, 'finishing')) return
    const isLapsed = now.getTime() - split.frozenSince.getTime() > FROZEN_DAYS * DAY_MS
    const detail = said.code?.slice(0, 120) ?? null
    if (said.outcome === 'done' || isLapsed) {
      await splits.move(tx, split, 'end', {
        finishedAt: now,
        nextAt: null,
        detail: said.outcome === 'done' ? null : detail,
      })
    } else {
      await tx
        .updateTable('split')
        .set({ nextAt: againAt(split.asks, now), detail })
        .where('id', '=', id)
        .execute()
    }
    await announceSplit(tx, split)
  })
}
