import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { linkMembers, moveMembers, unlinkMembers } from '@aisle/contract/member/member'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { memberInSight } from './member.reads'

type Outcomes = OutputOf<typeof linkMembers>
type Outcome = Outcomes['outcomes'][number]

/** What is asked for many is done for those it can be done for; each of the others is told why not. */
export async function link(ctx: CommandContext, input: InputOf<typeof linkMembers>): Promise<Outcomes> {
  const { merchantId, reason } = input
  await refuseOutOfSight(ctx, [merchantId])
  const found = await sql<Outcome>`
    with asked as (${askedOf(ctx, input.ids)}), made as (
      insert into member_merchant (member_id, merchant_id, linked_at, linked_by, reason)
      select id, ${merchantId}, ${ctx.now()}, ${ctx.actor.userId}, ${reason} from asked where state = 'active'
      on conflict (member_id, merchant_id) where unlinked_at is null do nothing returning member_id)
    select asked.id, case when made.member_id is not null then 'done' when state is null then 'notFound'
      when state = 'stopped' then 'stopped' else 'alreadyTied' end as outcome
    from asked left join made on made.member_id = asked.id order by asked.id`.execute(ctx.tx)
  return concluded(ctx, found.rows, { merchantId, after: { tiedTo: merchantId, reason } })
}

export async function unlink(ctx: CommandContext, input: InputOf<typeof unlinkMembers>): Promise<Outcomes> {
  const { merchantId, reason } = input
  await refuseOutOfSight(ctx, [merchantId])
  const found = await sql<Outcome>`
    with asked as (${askedOf(ctx, input.ids)}), ended as (${endTies(ctx, { merchantId, movedTo: null, reason })})
    select asked.id, ${endedOutcome} from asked left join ended on ended.member_id = asked.id
    order by asked.id`.execute(ctx.tx)
  return concluded(ctx, found.rows, { merchantId, after: { untiedFrom: merchantId, reason } })
}

/** Both halves are one statement: nobody is ever seen tied to neither or counted twice. */
export async function move(ctx: CommandContext, input: InputOf<typeof moveMembers>): Promise<Outcomes> {
  const { fromMerchantId, merchantId, reason } = input
  if (fromMerchantId === merchantId) refuse('member.sameMerchant')
  await refuseOutOfSight(ctx, [fromMerchantId, merchantId])
  const found = await sql<Outcome>`
    with asked as (${askedOf(ctx, input.ids)}),
    ended as (${endTies(ctx, { merchantId: fromMerchantId, movedTo: merchantId, reason })}),
    made as (
      insert into member_merchant (member_id, merchant_id, linked_at, linked_by, reason)
      select member_id, ${merchantId}, ${ctx.now()}, ${ctx.actor.userId}, ${reason} from ended
      on conflict (member_id, merchant_id) where unlinked_at is null do nothing)
    select asked.id, ${endedOutcome} from asked left join ended on ended.member_id = asked.id
    order by asked.id`.execute(ctx.tx)
  return concluded(ctx, found.rows, {
    merchantId: fromMerchantId,
    after: { movedFrom: fromMerchantId, movedTo: merchantId, reason },
  })
}

/** Each member once; without a state where there is none in sight. */
const askedOf = (ctx: CommandContext, ids: readonly number[]) => sql`
  select wanted.id, m.state from (select distinct unnest(${[...ids]}::bigint[]) as id) wanted
  left join member m on m.id = wanted.id and ${memberInSight(sightOf(ctx.actor))}`

const endTies = (ctx: CommandContext, to: { merchantId: number; movedTo: number | null; reason: string }) => sql`
  update member_merchant tie set unlinked_at = greatest(${ctx.now()}, tie.linked_at),
    unlinked_by = ${ctx.actor.userId}, moved_to = ${to.movedTo}, reason = ${to.reason}
  from asked where tie.member_id = asked.id and asked.state is not null and tie.merchant_id = ${to.merchantId}
    and tie.unlinked_at is null returning tie.member_id`

const endedOutcome = sql`case when ended.member_id is not null then 'done' when state is null then 'notFound'
  else 'notTied' end as outcome`

async function refuseOutOfSight(ctx: CommandContext, merchantIds: readonly number[]): Promise<void> {
  const found = await sql<{ count: number }>`select count(*) as count from merchant c
    where c.id = any(${[...merchantIds]}::bigint[]) and ${merchantInSight(sightOf(ctx.actor), sql`c.id`)}`.execute(
    ctx.tx,
  )
  if (found.rows[0]?.count !== merchantIds.length) refuse('request.notFound')
}

async function concluded(
  ctx: CommandContext,
  outcomes: Outcome[],
  { merchantId, after }: { merchantId: number; after: Record<string, unknown> },
): Promise<Outcomes> {
  const memberIds = outcomes.filter(({ outcome }) => outcome === 'done').map(({ id }) => id)
  if (memberIds.length === 0) refuse('member.nothingDone', { count: outcomes.length })
  await ctx.audit({
    merchantId,
    objectKind: 'member',
    objectId: String(memberIds.length === 1 ? memberIds[0] : memberIds.length),
    before: null,
    after: { ...after, memberIds },
  })
  return { done: memberIds.length, outcomes }
}
