import { splitReceiverState, type SplitReceiverState } from '@aisle/contract/settlement/splitStates'
import { sql } from 'kysely'
import type { Services } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { statesIn } from '../../../kernel/states'
import { channelOf, type SplitStepAnswer } from '../../payment/public'
import { announceReceiver, sendWaiting } from './receiver.commands'
import { againAt } from './split.rules'
import { LEASE_MS } from './split.send'
import { receivers } from './split.store'

type Row = {
  id: number
  accountId: number
  type: 'merchant_no' | 'openid' | 'user_id' | 'login'
  account: string
  name: string
  state: SplitReceiverState
  asks: number
}

/** Tells channels of receivers. Known twice is known, so whoever dies between leaves one that is told again. */
export async function tellReceivers(services: Services): Promise<void> {
  for (;;) {
    const claimed = await claim(services)
    if (!claimed) return
    const { id, accountId, type, account, name, state, asks } = claimed
    const channel = await channelOf(services, accountId).catch(() => null)
    const isBound = splitReceiverState.is(state, 'binding')
    const reference = `SV${String(id).padStart(10, '0')}${String(asks).padStart(3, '0')}`
    const said = channel?.splits
      ? await channel.splits.bind({ type, account, name }, isBound, reference)
      : ({ outcome: 'unknown', code: 'noChannel' } as const)
    await takeAnswer(services, id, said)
  }
}

async function claim({ db, clock }: Services): Promise<Row | undefined> {
  const now = clock.now()
  const found =
    await sql<Row>`update split_receiver set next_at = ${new Date(now.getTime() + LEASE_MS)}, asks = asks + 1
    where id = (select id from split_receiver where next_at <= ${now}
      and state in ${statesIn(splitReceiverState, 'underWay')} order by next_at, id limit 1 for update skip locked)
    returning id, account_id as "accountId", account_type as type, account, name, state, asks`.execute(db)
  return found.rows[0]
}

async function takeAnswer({ db, clock }: Services, id: number, said: SplitStepAnswer): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const row = only(
      await sql<Pick<Row, 'id' | 'state' | 'asks'>>`select id, state, asks from split_receiver where id = ${id}
        for update`.execute(tx),
    )
    if (!splitReceiverState.is(row.state, 'underWay')) return
    const detail = said.code?.slice(0, 120) ?? null
    if (said.outcome === 'unknown') {
      await tx
        .updateTable('splitReceiver')
        .set({ nextAt: againAt(row.asks, now), detail })
        .where('id', '=', id)
        .execute()
    } else if (splitReceiverState.can(row.state, 'end')) {
      await receivers.move(tx, row, 'end', { nextAt: null, detail })
    } else if (said.outcome === 'done') {
      await receivers.move(tx, row, 'confirm', { nextAt: null, detail: null, boundAt: now })
      await sendWaiting(tx, id, now)
    } else {
      await receivers.move(tx, row, 'refuse', { nextAt: null, detail })
    }
    await announceReceiver(tx, id)
  })
}
