import type { UnclaimedState } from '@aisle/contract/refund/unclaimed'
import type { Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { HOUR_MS } from '../calendar'
import { PLATFORM } from '../data/merchants'
import { idOf, type Ids } from '../people/people'

type CaseSeed = {
  /** Whose account at the provider has the money. */
  merchant: string
  provider: Provider
  no: string
  fen: number
  hoursAgo: number
  state: Extract<UnclaimedState, 'open' | 'asked' | 'failed' | 'refunded'>
  reason?: string
}

/** Counters and posters of the merchants' own collect with the same numbers at the provider, and under theirs. */
const story: readonly CaseSeed[] = [
  { merchant: PLATFORM, provider: 'wechat', no: 'COUNTER2026000955', fen: 900, hoursAgo: 2.6, state: 'open' },
  { merchant: PLATFORM, provider: 'alipay', no: 'POSTER2026000318', fen: 1250, hoursAgo: 20, state: 'open' },
  {
    merchant: 'SOUTHSTORE',
    provider: 'wechat',
    no: 'COUNTER2026000921',
    fen: 8600,
    hoursAgo: 27,
    state: 'asked',
    reason: '顾客扫了收银台旧码，门店核实未取货',
  },
  {
    merchant: PLATFORM,
    provider: 'wechat',
    no: 'COUNTER2026000874',
    fen: 1800,
    hoursAgo: 76,
    state: 'failed',
    reason: '顾客来电，付款截图与渠道单号一致',
  },
  {
    merchant: PLATFORM,
    provider: 'wechat',
    no: 'POSTER2026000266',
    fen: 650,
    hoursAgo: 118,
    state: 'refunded',
    reason: '旧海报二维码，已请门店撤下',
  },
]

const columns = { merchantId: 'bigint', provider: 'text', no: 'text', fen: 'bigint', paidAt: 'timestamptz' } as const

/** Money that providers told of under numbers that no order of ours was asked for by; its bills have it as well. */
export async function seedUnclaimed(
  tx: Tx,
  { merchants, users, now }: { merchants: Ids; users: Ids; now: Date },
): Promise<void> {
  const told = story.map(({ merchant, hoursAgo, reason = '', ...each }) => {
    const paidAt = new Date(now.getTime() - hoursAgo * HOUR_MS)
    return { ...each, reason, merchantId: idOf(merchants, merchant), paidAt }
  })
  await sql`insert into unclaimed_payment (provider_account_id, provider, channel_no, attempt_no, amount_fen, paid_at,
      noted_at, cause)
    select p.id, t.provider, ${channelNoOf}, t.no, t.fen, t.paid_at, t.paid_at + interval '2 seconds', 'unknown_number'
    from ${rows('t', told, columns)}
    join provider_account p on p.merchant_id = t.merchant_id and p.provider = t.provider order by t.paid_at`.execute(tx)
  const of = (state: UnclaimedState) =>
    rows(
      't',
      told.filter((each) => each.state === state),
      { no: 'text', reason: 'text' },
    )
  await sql`update unclaimed_payment u set state = 'asked', decision = 'refund', reason = t.reason,
      asked_by = ${financeOf(idOf(merchants, 'SOUTH'))}, asked_at = u.paid_at + interval '3 hours', version = 2
    from ${of('asked')} where u.attempt_no = t.no`.execute(tx)
  const decided = sql`decision = 'refund', reason = t.reason, decided_by = ${idOf(users, 'admin')},
    decided_at = u.paid_at + interval '18 hours'`
  // Three times, since the channel says that the account has not enough: then it waits for a person.
  await sql`update unclaimed_payment u set state = 'failed', ${decided}, tries = 3, asks = 3, detail = 'NOT_ENOUGH',
      sent_at = u.paid_at + interval '18 hours 3 minutes', next_at = u.paid_at + interval '18 hours 7 minutes',
      version = 5
    from ${of('failed')} where u.attempt_no = t.no`.execute(tx)
  await sql`update unclaimed_payment u set state = 'refunded', ${decided}, tries = 1, asks = 1, detail = 'SUCCESS',
      sent_at = u.paid_at + interval '18 hours', next_at = u.paid_at + interval '18 hours 1 minute',
      ended_at = u.paid_at + interval '18 hours 1 second', version = 3,
      channel_refund_no = '5030' || to_char(u.paid_at, 'YYYYMMDD') || lpad(u.id::text, 12, '0')
    from ${of('refunded')} where u.attempt_no = t.no`.execute(tx)
}

/** As long as the channels' own numbers of a payment `t`, and the same at every seeding. */
const channelNoOf = sql`case t.provider when 'wechat' then '42000' else '' end || to_char(t.paid_at, 'YYYYMMDD')
  || case t.provider when 'wechat' then '' else '2200' end || lpad((abs(hashtext(t.no)) % 1000000000)::text, 15, '0')`

/** The account is below two merchants; who may decide there and is no demo account has asked. */
const financeOf = (merchantId: number) => sql`(select min(u.id) from app_user u join user_role g on g.user_id = u.id
  join role_permission r on r.role_id = g.role_id where u.merchant_id = ${merchantId}
    and r.permission = 'order.settle')`
