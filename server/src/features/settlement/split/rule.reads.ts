import type { getSplitRule, listSplitRules, SplitRule, SplitRuleLine } from '@aisle/contract/settlement/splitRule'
import { splitCap } from '@aisle/contract/system/settings'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, type Order } from '../../../kernel/list'
import { sightOf, subtreeOf } from '../../../kernel/scope'
import { settledInSight } from '../batch/batch.store'
import { settingOf } from '../../../kernel/settings'
import { todayOf } from '../fee/feeRule.reads'

/** Another rule for the same that holds on the day instead of this one. */
const isReplaced = (day: string) => sql`exists (select 1 from split_rule n where n.merchant_id = r.merchant_id
  and n.group_id is not distinct from r.group_id and n.machine_id is not distinct from r.machine_id
  and n.valid_from > r.valid_from and n.valid_from <= ${day}::date
  and (n.valid_to is null or n.valid_to >= ${day}::date))`

const rates = sql`(select coalesce(max(bps), 0) / 100::float8 from (
    select sum(l.rate_bps) as bps from split_rule_line l join split_receiver v on v.id = l.receiver_id
    join payment_account c on c.id = v.account_id where l.rule_id = r.id
    group by c.provider_account_id, c.sub_merchant_no) channels)`

function rowsInSight(ctx: QueryContext): RawBuilder<SplitRule> {
  const day = todayOf(ctx)
  return sql`select r.id, r.merchant_id as "merchantId", m.name as "merchantName",
      case when r.machine_id is not null then 'machine' when r.group_id is not null then 'group'
        else 'merchant' end as scope,
      coalesce(k.name, g.name) as "scopeName", (select count(*)::int from split_rule_line where rule_id = r.id)
        as receivers, ${rates} as "ratePercent", to_char(r.valid_from, 'YYYY-MM-DD') as "validFrom",
      to_char(r.valid_to, 'YYYY-MM-DD') as "validTo",
      case when r.valid_from > ${day}::date then 'coming' when r.valid_to < ${day}::date then 'ended'
        when ${isReplaced(day)} then 'replaced' else 'in_force' end as state,
      r.reason, u.display_name as "agreedBy", to_json(r.created_at) #>> '{}' as "agreedAt"
    from split_rule r join merchant m on m.id = r.merchant_id join app_user u on u.id = r.created_by
    left join machine k on k.id = r.machine_id left join machine_group g on g.id = r.group_id
    where ${settledInSight(sightOf(ctx.actor), sql`r.merchant_id`)}`
}

const order: Order = { by: sql`"validFrom"`, type: 'text', newestFirst: true }

export function listRulesIn(ctx: QueryContext, filter: InputOf<typeof listSplitRules>): Listing<SplitRule> {
  const { scope, state, merchantId, receiverId } = filter
  const where = allOf([
    isAnyOf(sql`scope`, scope),
    isAnyOf(sql`state`, state),
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
    receiverId && sql`id in (select rule_id from split_rule_line where receiver_id = ${receiverId})`,
  ])
  return listRows({ rows: rowsInSight(ctx), where, order })
}

export async function findSplitRule(ctx: QueryContext, id: number): Promise<OutputOf<typeof getSplitRule> | undefined> {
  const found = await sql<SplitRule>`select * from (${rowsInSight(ctx)}) seen where id = ${id}`.execute(ctx.db)
  const [rule] = found.rows
  if (!rule) return undefined
  const lines = await sql<SplitRuleLine>`select l.receiver_id as "receiverId", v.name, v.provider, v.account, v.state,
      l.rate_bps / 100::float8 as "ratePercent", l.fixed_fen as "fixedFen"
    from split_rule_line l join split_receiver v on v.id = l.receiver_id where l.rule_id = ${id}
    order by l.line_no`.execute(ctx.db)
  return { ...rule, lines: lines.rows, capPercent: await settingOf(ctx.db, splitCap, rule.merchantId) }
}
