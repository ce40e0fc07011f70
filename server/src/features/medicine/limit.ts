import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/medicine/limit'
import { limitGroups } from '@aisle/contract/medicine/medicine'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows } from '../../kernel/list'
import { only } from '../../kernel/must'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { isPlatform, merchantInSight, refuseUnseenMerchant, sightOf, subtreeOf } from '../../kernel/scope'

type Listed = OutputOf<typeof contract.listLimits>['items'][number]
type Rule = { id: number; merchantId: number | null; packs: number; days: number }

const audit = auditAs('realNameLimit')

export const routes: Route[] = [
  ...listOf(contract.listLimits, listLimitsIn),
  query(contract.getLimit, getLimit),
  command(contract.putLimit, putLimit),
  command(contract.removeLimit, removeLimit),
]

/** The platform's rules hold for everybody, so everybody sees them. */
const rowsOf = ({ actor }: QueryContext) => sql<Listed>`
  select l.id, l.merchant_id as "merchantId", m.name as "merchantName", l.limit_group as "limitGroup", l.packs, l.days,
    l.version
  from real_name_limit l left join merchant m on m.id = l.merchant_id
  where (l.merchant_id is null or ${merchantInSight(sightOf(actor), sql`l.merchant_id`)})`

async function getLimit(ctx: QueryContext, { id }: { id: number }): Promise<Listed> {
  return existing((await sql<Listed>`${rowsOf(ctx)} and l.id = ${id}`.execute(ctx.db)).rows[0])
}

function listLimitsIn(ctx: QueryContext, filter: InputOf<typeof contract.listLimits>): Listing<Listed> {
  const { limitGroup, merchantId } = filter
  return listRows({
    rows: rowsOf(ctx),
    where: allOf([
      isAnyOf(sql`"limitGroup"`, limitGroup),
      merchantId && sql`("merchantId" is null or "merchantId" in (${subtreeOf(merchantId)}))`,
    ]),
    order: {
      by: sql`array_position(${[...limitGroups]}::text[], "limitGroup") * 2
        + ("merchantId" is not null)::int`,
      type: 'bigint',
    },
  })
}

async function putLimit(ctx: CommandContext, input: InputOf<typeof contract.putLimit>): Promise<{ id: number }> {
  const { merchantId, limitGroup, packs, days } = input
  if (merchantId === null && !isPlatform(ctx)) refuse('limit.platformOnly')
  if (merchantId !== null) await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  const before = await sql<Rule>`select id, merchant_id as "merchantId", packs, days from real_name_limit
    where merchant_id is not distinct from ${merchantId} and limit_group = ${limitGroup} for update`.execute(ctx.tx)
  const platform = await sql<Pick<Rule, 'packs' | 'days'>>`select packs, days from real_name_limit
    where merchant_id is null and limit_group = ${limitGroup}`.execute(ctx.tx)
  const { packs: most = packs, days: least = days } = platform.rows[0] ?? {}
  const { id } = only(
    await refusedBy(
      'real_name_limit_strict',
      sql<{ id: number }>`insert into real_name_limit (merchant_id, limit_group, packs, days, changed_by, changed_at)
        values (${merchantId}, ${limitGroup}, ${packs}, ${days}, ${ctx.actor.userId}, ${ctx.now()})
        on conflict (coalesce(merchant_id, 0), limit_group) do update set packs = excluded.packs,
          days = excluded.days, changed_by = excluded.changed_by, changed_at = excluded.changed_at,
          version = real_name_limit.version + 1
        returning id`.execute(ctx.tx),
      () => refusal('limit.looser', { packs: most, days: least }),
    ),
  )
  const was = before.rows[0]
  await audit(ctx, { id, merchantId }, was ? { packs: was.packs, days: was.days } : null, { limitGroup, packs, days })
  return { id }
}

async function removeLimit(ctx: CommandContext, { id }: { id: number }): Promise<{ id: number }> {
  const found = await sql<Rule>`select id, merchant_id as "merchantId", packs, days from real_name_limit l
    where id = ${id} and (merchant_id is null or ${merchantInSight(sightOf(ctx.actor), sql`l.merchant_id`)})
    for update`.execute(ctx.tx)
  const row = existing(found.rows[0])
  // Without a rule of the platform nothing would be counted at all.
  if (row.merchantId === null) refuse('limit.platformOnly')
  await sql`delete from real_name_limit where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, { packs: row.packs, days: row.days }, null)
  return { id }
}
