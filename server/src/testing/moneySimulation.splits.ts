import {
  approveSplitRelease,
  refuseSplitRelease,
  releaseSplitLine,
  sendSplitAgain,
  writeOffSplitReturn,
} from '@aisle/contract/settlement/split'
import { bindSplitReceiver } from '@aisle/contract/settlement/splitReceiver'
import { sql } from 'kysely'
import { only } from '../kernel/must'
import { addUser } from './fixtures'
import type { Desk } from './moneySimulation.people'
import type { Providers } from './provider'
import type { World } from './world'

type Sharing = { merchantId: number; accounts: Readonly<Record<'wechat' | 'alipay', number>> }
const receivers = [
  { provider: 'wechat', type: 'merchant_no', account: '1900000901', bps: 1_000, fen: null, consents: true },
  { provider: 'wechat', type: 'openid', account: 'oLandlord', bps: null, fen: 7, consents: false },
  { provider: 'alipay', type: 'user_id', account: '2088000000000901', bps: 1_500, fen: null, consents: false },
] as const

/** Two share in what is sold through WeChat and one in Alipay's: by rate and by amount; the channel knows them soon. */
export async function shareOrders({ services }: World, { merchantId, accounts }: Sharing): Promise<void> {
  const { db, clock } = services
  const { id: userId } = await addUser(db, { merchantId, grants: [] })
  const { id: ruleId } = only(
    await sql<{ id: number }>`insert into split_rule (merchant_id, valid_from, reason, created_at, created_by)
      values (${merchantId}, '2026-01-01', 'simulated', ${clock.now()}, ${userId}) returning id`.execute(db),
  )
  for (const [index, { provider, type, account, bps, fen, consents }] of receivers.entries()) {
    await sql`with receiver as (
        insert into split_receiver (merchant_id, account_id, provider, kind, name, account_type, account, consents,
          state, next_at, created_at, created_by)
        values (${merchantId}, ${accounts[provider]}, ${provider}, 'outside', ${account}, ${type}, ${account},
          ${consents}, 'binding', ${clock.now()}, ${clock.now()}, ${userId}) returning id)
      insert into split_rule_line (rule_id, line_no, receiver_id, rate_bps, fixed_fen)
      select ${ruleId}, ${index + 1}, id, ${bps}::int, ${fen}::bigint from receiver`.execute(db)
  }
}

const reasons = ['ACCOUNT_ABNORMAL', 'RECEIVER_HIGH_RISK', 'RECEIVER_RECEIPT_LIMIT']

/** Receivers close their accounts, reach limits and refuse to give back; mostly they do not. */
export function spoilReceivers({ standIn }: Providers, random: (below: number) => number): void {
  const one = receivers[random(receivers.length)]?.account ?? ''
  standIn.mischief.splitFails = random(3) === 0 ? { [one]: reasons[random(reasons.length)] ?? '' } : {}
  standIn.mischief.returnFails =
    random(3) === 0 ? { [receivers[0].account]: random(2) === 0 ? 'TIME_OUT_CLOSED' : 'NOT_ENOUGH' } : {}
}

/** Somebody looks at what failed: sends it again, gives it to the merchant with another's word, or gives a claim up. */
export async function decideSplits({ world, call, random, of }: Desk): Promise<void> {
  const { db } = world.services
  const reason = 'the simulation says so'
  const lost = await sql<{ id: number }>`select id from split_receiver where state in ('failed', 'unbound')`.execute(db)
  for (const { id } of lost.rows) if (random(2) === 0) await call(0, bindSplitReceiver, { id })
  const failed = await sql<{ id: number; lineId: number }>`select s.id, l.id as "lineId" from split s
    join split_line l on l.split_id = s.id and l.state in ('failed', 'proposed')
    order by s.id desc limit 10`.execute(db)
  const claims = await sql<{ id: number }>`select id from split_return where state = 'claimed'
    order by id desc limit 5`.execute(db)
  if (claims.rows.length > 0 && random(4) === 0) await call(0, writeOffSplitReturn, { ...of(claims.rows), reason })
  if (failed.rows.length === 0) return
  const { id, lineId } = of(failed.rows)
  const release = (by: 0 | 1) => call(by, releaseSplitLine, { id: lineId, reason })
  const verbs: (() => Promise<unknown>)[] = [
    () => call(0, sendSplitAgain, { id }),
    () => Promise.all([call(0, sendSplitAgain, { id }), release(1)]),
    () => release(0).then(() => call(1, approveSplitRelease, { id: lineId })),
    () => release(0).then(() => call(1, refuseSplitRelease, { id: lineId, reason })),
    () => Promise.all([release(0), release(1)]),
  ]
  await of(verbs)()
}

/** What receivers have there, against what we say that they got: by account, what differs. */
export async function shareFaults({ services }: World, { standIn }: Providers): Promise<string[]> {
  const ours = await sql<{ account: string; fen: number }>`select v.account,
      sum(l.amount_fen - l.cut_fen - coalesce((select sum(r.amount_fen) from split_return r
        where r.line_id = l.id and r.state = 'done'), 0))::bigint as fen
    from split s join split_line l on l.split_id = s.id and l.state = 'done'
    join split_receiver v on v.id = l.receiver_id where v.provider = 'wechat' group by 1`.execute(services.db)
  const underWay = await sql`select 1 from split s where s.state in ('sending', 'unknown')
    union all select 1 from split_return where state in ('waiting', 'sending') limit 1`.execute(services.db)
  // Of what the channel was asked for and has not said, nobody can know yet.
  if (underWay.rows.length > 0) return []
  const theirs = new Map<string, number>()
  const add = (account: string, fen: number) => theirs.set(account, (theirs.get(account) ?? 0) + fen)
  for (const { provider, splits, splitReturns } of standIn.trades()) {
    if (provider !== 'wechat') continue
    for (const { account, amountFen, state } of splits.flatMap(({ lines }) => lines)) {
      if (state === 'done') add(account, amountFen)
    }
    for (const { account, amountFen, state } of splitReturns) if (state === 'done') add(account, -amountFen)
  }
  const known = new Map(ours.rows.map(({ account, fen }) => [account, fen]))
  return [...new Set([...theirs.keys(), ...known.keys()])].flatMap((account) => {
    const [there, here] = [theirs.get(account) ?? 0, known.get(account) ?? 0]
    return there === here ? [] : [`receiver ${account} has ${there}, our shares say ${here}`]
  })
}
