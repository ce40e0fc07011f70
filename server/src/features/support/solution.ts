import * as contract from '@aisle/contract/support/solution'
import { onOff } from '@aisle/contract/kernel/states'
import { type RawBuilder, sql } from 'kysely'
import { soundOf } from '../catalog/public'
import type { CommandContext, QueryContext, Reader } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { only } from '../../kernel/must'
import { refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { machineInSight, merchantInSight, type Sight, sightOf, platformRow } from '../../kernel/scope'
import { holdsAny } from '../../kernel/search'

const said = (helped: boolean) => sql<number>`(select count(*)::int from solution_verdict v
  where v.solution_id = solution.id and v.helped = ${sql.lit(helped)})`

const solutions = kept(contract.solution, {
  table: 'solution',
  facts: () => ({ helped: said(true), notHelped: said(false) }),
  columns: async (_, { name }) => ({ sound: soundOf(name) }),
  search: ['name', 'symptom', 'code'],
  where: {
    q: (value) => sql`id in (select s.id from solution s
      where ${holdsAny([sql`s.name`, sql`s.symptom`, sql`s.code`, sql`s.sound`], value)})`,
  },
  orders: { helped: { by: sql`"notHelped" - "helped"`, type: 'bigint' } },
  uses: (id) => sql`select distinct u.display_name as name from solution_verdict v join app_user u on u.id = v.user_id
    where v.solution_id = ${id} order by 1`,
})

type Cases = { kind: contract.CaseKind; faults: (sight: Sight, id: number) => RawBuilder<unknown> }

/** The faults of a case in sight, one row each; a case without one has a row that no solution fits. */
const cases = {
  alarm: {
    kind: 'alarm',
    faults: (sight, id) => sql`select a.cause, a.facts ->> 'code' as code, m.model
      from alarm a join machine m on m.id = a.machine_id where a.id = ${id} and ${machineInSight(sight, sql`m.id`)}`,
  },
  repairOrder: {
    kind: 'repairOrder',
    faults: (sight, id) => sql`select a.cause, a.facts ->> 'code' as code, m.model
      from repair_order o join machine m on m.id = o.machine_id left join alarm a on a.repair_order_id = o.id
      where o.id = ${id} and ${machineInSight(sight, sql`m.id`)}`,
  },
  feedback: {
    kind: 'feedback',
    faults: (sight, id) => sql`select f.fault as cause, null as code, '' as model
      from feedback f where f.id = ${id} and ${merchantInSight(sight, sql`f.merchant_id`)}`,
  },
} as const satisfies Record<contract.CaseKind, Cases>

const MOST = 10

/** @throws Refusal request.notFound for a case out of sight */
async function solutionsOf(ctx: QueryContext, { kind, faults }: Cases, id: number): Promise<contract.CaseSolution[]> {
  const of = faults(sightOf(ctx.actor), id)
  const isSeen = await sql`select 1 from (${of}) fault limit 1`.execute(ctx.db)
  if (isSeen.rows.length === 0) refuse('request.notFound')
  const found = await sql<contract.CaseSolution>`
    select solution.id, solution.name, solution.symptom, solution.steps, ${said(true)} as helped,
      ${said(false)} as "notHelped", (select v.helped from solution_verdict v where v.solution_id = solution.id
        and v.case_kind = ${kind} and v.case_id = ${id} and v.user_id = ${ctx.actor.userId}) as said
    from solution where solution.state = ${onOff.initial} and exists (
      select 1 from (${of}) fault where fault.cause = solution.cause
        and (solution.code = '' or solution.code = any(string_to_array(fault.code, ', ')))
        and (solution.model = '' or solution.model = fault.model))
    order by (solution.code <> '')::int + (solution.model <> '')::int desc, ${said(false)} - ${said(true)},
      solution.name
    limit ${sql.lit(MOST)}`.execute(ctx.db)
  return found.rows
}

type Verdict = { id: number; solutionId: number; helped: boolean }

/** A fact: whoever thinks better of it later has learnt something about another case. */
async function judge(ctx: CommandContext, about: Cases, { id, solutionId, helped }: Verdict) {
  const known = await solutionsOf(ctx, about, id)
  const solution = known.find((each) => each.id === solutionId) ?? refuse('request.notFound')
  const written = await sql`insert into solution_verdict (solution_id, case_kind, case_id, user_id, helped, at)
    values (${solutionId}, ${about.kind}, ${id}, ${ctx.actor.userId}, ${helped}, ${ctx.now()})
    on conflict do nothing`.execute(ctx.tx)
  if (written.numAffectedRows === 0n) refuse('solution.said')
  const after = { solution: solution.name, case: `${about.kind} #${id}`, helped }
  const { merchantId } = ctx.actor
  await ctx.audit({ merchantId, objectKind: 'solution', objectId: solutionId, before: null, after })
  return counted(ctx.tx, solutionId)
}

async function counted(db: Reader, id: number) {
  const found = await sql<{ helped: number; notHelped: number }>`
    select ${said(true)} as helped, ${said(false)} as "notHelped" from solution where id = ${id}`.execute(db)
  return only(found)
}

export const routes: Route[] = [
  ...listOf(contract.listSolutions, solutions.list),
  query(contract.getSolution, solutions.get),
  command(contract.addSolution, (ctx, input) => solutions.add(platformRow(ctx), input)),
  command(contract.editSolution, (ctx, input) => solutions.edit(platformRow(ctx), input)),
  command(contract.stopSolution, (ctx, input) => solutions.move('stop')(platformRow(ctx), input)),
  command(contract.resumeSolution, (ctx, input) => solutions.move('resume')(platformRow(ctx), input)),
  command(contract.removeSolution, (ctx, input) => solutions.remove(platformRow(ctx), input)),
  query(contract.listAlarmSolutions, async (ctx, { id }) => ({ items: await solutionsOf(ctx, cases.alarm, id) })),
  query(contract.listRepairOrderSolutions, async (ctx, { id }) => ({
    items: await solutionsOf(ctx, cases.repairOrder, id),
  })),
  query(contract.listFeedbackSolutions, async (ctx, { id }) => ({ items: await solutionsOf(ctx, cases.feedback, id) })),
  command(contract.judgeAlarmSolution, (ctx, input) => judge(ctx, cases.alarm, input)),
  command(contract.judgeRepairOrderSolution, (ctx, input) => judge(ctx, cases.repairOrder, input)),
  command(contract.judgeFeedbackSolution, (ctx, input) => judge(ctx, cases.feedback, input)),
]
