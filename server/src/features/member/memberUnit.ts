import { cardState } from '@aisle/contract/member/card'
import * as contract from '@aisle/contract/member/memberUnit'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { merchantInSight, sightOf, subtreeOf } from '../../kernel/scope'
import { statesIn } from '../../kernel/states'

const units = kept(contract.memberUnit, {
  table: 'memberUnit',
  facts: () => ({
    memberCount: sql`(select count(*)::int from member m where m.unit_id = member_unit.id)`,
  }),
  search: ['name'],
  uses: (id) => sql`
    select name from member_unit where parent_id = ${id}
    union all select number || ' ' || name from member where unit_id = ${id} order by 1`,
})

export const routes: Route[] = [
  query(contract.listMemberUnits, listUnits),
  query(contract.getMemberUnit, units.get),
  command(contract.addMemberUnit, addUnit),
  command(contract.editMemberUnit, units.edit),
  command(contract.removeMemberUnit, units.remove),
]

/** Of a parent out of sight nothing is said but that it is not there; one of another merchant's is none either. */
async function addUnit(ctx: CommandContext, input: InputOf<typeof contract.addMemberUnit>) {
  const parent = input.parentId === null ? null : await units.load(ctx, input.parentId)
  if (parent && parent.merchantId !== input.merchantId) refuse('request.notFound')
  if (!contract.mayStandIn(input.kind, parent ? parent.kind : null)) refuse('memberUnit.below')
  return units.add(ctx, input)
}

async function listUnits(ctx: QueryContext, { merchantId }: InputOf<typeof contract.listMemberUnits>) {
  const found = await sql<contract.UnitBranch>`
    with recursive walk as (
      select u.*, array[]::bigint[] as above from member_unit u
      where u.parent_id is null and ${merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)}
        ${merchantId ? sql`and u.merchant_id in (${subtreeOf(merchantId)})` : sql``}
      union all
      select u.*, w.above || w.id from walk w join member_unit u on u.parent_id = w.id
    ), own as (
      select m.unit_id, count(*)::int as members, sum((select count(*) from member_card c where c.member_id = m.id
        and c.state in ${statesIn(cardState, 'uncancelled')}))::int as cards
      from member m where m.unit_id in (select id from walk) group by 1
    ), held as (
      select t.id, sum(own.members)::int as members, sum(own.cards)::int as cards
      from walk w join own on own.unit_id = w.id cross join lateral unnest(w.above || w.id) t (id) group by 1)
    select w.id, w.merchant_id as "merchantId", m.name as "merchantName", w.parent_id as "parentId", w.kind, w.name,
      w.version, coalesce(h.members, 0) as "memberCount", coalesce(h.cards, 0) as "cardCount"
    from walk w join merchant m on m.id = w.merchant_id left join held h on h.id = w.id
    order by m.name, w.merchant_id, cardinality(w.above), w.name, w.id limit 5000`.execute(ctx.db)
  return { items: found.rows }
}
