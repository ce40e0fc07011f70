import type { MedicineClass } from '@aisle/contract/catalog/product'
import { campaignState } from '@aisle/contract/promotion/campaign'
import { type Conflict, isPlanLawful } from '@aisle/contract/promotion/plan'
import type { VoucherKind } from '@aisle/contract/promotion/voucher'
import { sql } from 'kysely'
import { businessTime } from '../../kernel/businessDay'
import { refusedBy } from '../../kernel/constraint'
import type { Reader, Tx } from '../../kernel/context'
import { only } from '../../kernel/must'
import { refusal, refuse } from '../../kernel/refuse'
import { findConflicts, findSaid } from './plan.reads'
import type { Held, Said } from './plan.store'

type Kind = VoucherKind | null
type Lawful = Parameters<typeof isPlanLawful>[0] & { productIds: number[] }

export async function refuseUnlawful(db: Reader, plan: Lawful): Promise<void> {
  const found = await sql<{ name: string; medicineClass: MedicineClass }>`
    select name, medicine_class as "medicineClass" from product
    where id = any(${plan.productIds}::bigint[]) and medicine_class is not null order by id`.execute(db)
  const unlawful = found.rows.find(({ medicineClass }) => !isPlanLawful(plan, medicineClass))
  if (unlawful) refuse('plan.notLawful', { name: unlawful.name })
}

type Listed = Pick<Held, 'id' | 'merchantId'>

/** What is to be seen before it is listed. @throws Refusal for what can't be */
export async function judgeListing(
  db: Reader,
  { id, merchantId }: Listed,
  kind: Kind,
  now: Date,
): Promise<{ said: Said; conflicts: Conflict[] }> {
  const said = await findSaid(db, id)
  await refuseUnlawful(db, { ...said, voucherKind: kind })
  const zone = await sql<{ timeZone: string }>`select time_zone as "timeZone" from merchant
    where id = ${merchantId}`.execute(db)
  if (said.endsOn !== null && said.endsOn < businessTime(now, only(zone).timeZone).day) refuse('plan.over')
  const conflicts = await findConflicts(db, id, now)
  if (conflicts.some((each) => each.kind === 'nowhere')) refuse('plan.nothing')
  return { said, conflicts }
}

/** A campaign that has not begun, or is paused, lists its plans itself once it runs. */
export async function refuseHeldBack(tx: Tx, id: number): Promise<void> {
  const found = await sql<{ name: string; state: (typeof campaignState.states)[number] }>`
    select g.name, g.state from promotion_plan p join campaign g on g.id = p.campaign_id
    where p.id = ${id}`.execute(tx)
  const [campaign] = found.rows
  if (campaign && !campaignState.is(campaign.state, 'running')) refuse('plan.inCampaign', { name: campaign.name })
}

type Judged = { kind: Kind; said: Said }

/** From now on the version is what orders were priced by, and is not changed any more. */
export async function markListed(
  tx: Tx,
  { id, versionId }: Pick<Held, 'id' | 'versionId'>,
  { kind, said }: Judged,
  now: Date,
): Promise<void> {
  await (kind === null ? limit(tx, id, said) : limitIssued(tx, id))
  await sql`update promotion_plan_version set listed_at = ${now}
    where id = ${versionId} and listed_at is null`.execute(tx)
}

/** Counted from when it was first limited. @throws Refusal where more than that is gone already */
async function limit(tx: Tx, id: number, { maxUses, budgetFen }: Said): Promise<void> {
  if (maxUses === null && budgetFen === null) {
    await sql`delete from promotion_tally where plan_id = ${id}`.execute(tx)
    return
  }
  const gone = await sql<{ uses: number; fen: number }>`
    select count(*)::int as uses, coalesce(sum(fen), 0)::bigint as fen from promotion_use
    where plan_id = ${id} and released_at is null`.execute(tx)
  const { uses, fen } = only(gone)
  if (uses > (maxUses ?? Infinity) || fen > (budgetFen ?? Infinity)) refuse('plan.limit', { uses })
  await sql`insert into promotion_tally (plan_id, max_uses, budget_fen, uses, spent_fen)
    values (${id}, ${maxUses}, ${budgetFen}, ${uses}, ${fen}) on conflict (plan_id) do update
    set max_uses = excluded.max_uses, budget_fen = excluded.budget_fen, uses = excluded.uses,
      spent_fen = excluded.spent_fen`.execute(tx)
}

/** @throws Refusal where more than that is given out already */
async function limitIssued(tx: Tx, id: number): Promise<void> {
  const write = sql`update voucher_tally t set max_issued = v.max_issued
    from promotion_plan p join promotion_plan_version v on v.id = p.version_id
    where t.plan_id = ${id} and p.id = t.plan_id`.execute(tx)
  await refusedBy('voucher_tally_issued', write, () => refusal('voucher.sold'))
}
