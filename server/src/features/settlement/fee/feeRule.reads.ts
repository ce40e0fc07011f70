import type { FeeRuleRow, getFeeRule, listFeeRules } from '@aisle/contract/settlement/fee'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { QueryContext } from '../../../kernel/context'
import { allOf, isAnyOf, listRows, type Order } from '../../../kernel/list'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { word } from '../../../kernel/words'
import { terms } from './feeRule.store'

/** The day by which rules hold; the books' own. */
export const todayOf = (ctx: Pick<QueryContext, 'now'>): string => businessTime(ctx.now(), PLATFORM_TIME_ZONE).day

/** Another rule of the same merchant, for the same, that holds on the day instead of this one. */
const isReplaced = (day: string) => sql`exists (select 1 from fee_rule n where n.subject = f.subject
  and n.merchant_id is not distinct from f.merchant_id and n.valid_from > f.valid_from
  and n.valid_from <= ${day}::date and (n.valid_to is null or n.valid_to >= ${day}::date))`

/** Those of merchants in sight, and those that reach the caller's merchant from above. */
function rowsInSight(ctx: QueryContext): RawBuilder<FeeRuleRow> {
  const day = todayOf(ctx)
  const forAll = word(ctx.language, 'settlement', 'fee.forAll')
  return sql`
    select ${terms}, f.merchant_id as "merchantId", coalesce(m.name, ${forAll}) as "merchantName",
      to_char(f.valid_to, 'YYYY-MM-DD') as "validTo",
      case when f.valid_from > ${day}::date then 'coming' when f.valid_to < ${day}::date then 'ended'
        when ${isReplaced(day)} then 'replaced' else 'in_force' end as state,
      f.reason, u.display_name as "agreedBy", to_json(f.created_at) #>> '{}' as "agreedAt"
    from fee_rule f left join merchant m on m.id = f.merchant_id left join app_user u on u.id = f.created_by
    where f.merchant_id is null or ${merchantInSight(sightOf(ctx.actor), sql`f.merchant_id`)}
      or f.merchant_id in (select unnest(path) from merchant where id = ${ctx.actor.merchantId})`
}

const order: Order = { by: sql`"validFrom"`, type: 'text', newestFirst: true }

export function feeRulePage(ctx: QueryContext, filter: InputOf<typeof listFeeRules>) {
  const { subject, state, merchantId } = filter
  const where = allOf([
    isAnyOf(sql`subject`, subject),
    isAnyOf(sql`state`, state),
    // What holds for a merchant comes from it and from all above it, and from the rules for all.
    merchantId &&
      sql`("merchantId" is null or "merchantId" in (select unnest(path) from merchant where id = ${merchantId}))`,
  ])
  return listRows({ rows: rowsInSight(ctx), where, order })
}

type Detail = OutputOf<typeof getFeeRule>

export async function findFeeRule(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const found = await sql<FeeRuleRow>`select * from (${rowsInSight(ctx)}) seen where id = ${id}`.execute(ctx.db)
  const [rule] = found.rows
  if (!rule) return undefined
  const history = await sql<Detail['history'][number]>`select id, "ratePercent", basis, "minFen", "belowMin",
      "validFrom"
    from (${rowsInSight(ctx)}) seen where subject = ${rule.subject}
      and "merchantId" is not distinct from ${rule.merchantId}
    order by "validFrom" desc limit 50`.execute(ctx.db)
  return { ...rule, history: history.rows }
}
