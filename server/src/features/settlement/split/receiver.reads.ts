import type { getSplitReceiver, listSplitReceivers, SplitReceiver } from '@aisle/contract/settlement/splitReceiver'
import { splitLineState, splitReturnState } from '@aisle/contract/settlement/splitStates'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../../kernel/list'
import { existing } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { settledInSight } from '../batch/batch.store'
import { statesFrom, statesIn } from '../../../kernel/states'
import { todayOf } from '../fee/feeRule.reads'

type Filter = InputOf<typeof listSplitReceivers>

const rowsInSight = (ctx: QueryContext): RawBuilder<SplitReceiver> => sql`
  select v.id, v.name as "receiverName", v.kind, coalesce(o.name, u.display_name) as "ofName", v.provider,
    v.account_type as "accountType", v.account, m.name as "merchantName", v.consents, v.state, v.detail,
    to_json(v.bound_at) #>> '{}' as "boundAt",
    (select count(*)::int from split_rule_line l join split_rule r on r.id = l.rule_id where l.receiver_id = v.id
      and (r.valid_to is null or r.valid_to >= ${todayOf(ctx)}::date)) as rules,
    (select coalesce(sum(l.amount_fen - l.cut_fen), 0)::bigint from split_line l
      where l.receiver_id = v.id and l.state in ${statesIn(splitLineState, 'owed')}) as "unpaidFen",
    (select coalesce(sum(r.amount_fen - r.settled_fen), 0)::bigint from split_line l
      join split_return r on r.line_id = l.id and r.state in ${statesFrom(splitReturnState, 'settle')}
      where l.receiver_id = v.id) as "claimFen"
  from split_receiver v join merchant m on m.id = v.merchant_id left join merchant o on o.id = v.of_merchant_id
    left join app_user u on u.id = v.of_user_id
  where ${settledInSight(sightOf(ctx.actor), sql`v.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  name: { by: sql`"receiverName"`, type: 'text' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export function listReceiversIn(ctx: QueryContext, { q, provider, state, kind, sort }: Filter): Listing<SplitReceiver> {
  const where = allOf([
    q && holds(sql`"receiverName" || ' ' || account`, q),
    isAnyOf(sql`provider`, provider),
    isAnyOf(sql`state`, state),
    isAnyOf(sql`kind`, kind),
  ])
  return listRows({ rows: rowsInSight(ctx), where, order: orders[sort] })
}

type Detail = OutputOf<typeof getSplitReceiver>

export async function findReceiver(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await sql<SplitReceiver>`select * from (${rowsInSight(ctx)}) seen where id = ${id}`.execute(ctx.db)
  const said = await sql<Detail['exchanges'][number]>`select to_json(at) #>> '{}' as at, outcome,
      left(answer_body, 500) as answer
    from channel_exchange where reference like ${`SV${String(id).padStart(10, '0')}%`} and kind = 'split_receiver'
    order by at desc limit 10`.execute(ctx.db)
  return { ...existing(found.rows[0]), exchanges: said.rows }
}
