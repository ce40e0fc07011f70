import { prescriptionState } from '@aisle/contract/pharmacy/states'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { listPrescriptions, Prescription, summarisePrescriptions } from '@aisle/contract/pharmacy/prescription'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order } from '../../kernel/list'
import { withinDays } from '../../kernel/platformDays'
import { merchantInSight, type Sight } from '../../kernel/scope'
import { codeAsTyped } from './code.rules'
import { personHash } from './content.rules'
import { isSeen } from './prescription.store'
import { statesIn } from '../../kernel/states'

type Filter = InputOf<typeof listPrescriptions>

type Moment = 'createdAt' | 'submittedAt' | 'reviewedAt' | 'expiresAt'
/** Moments are as the orders compare them. */
type Row = Omit<Prescription, Moment> & { [K in Moment]: Date | Extract<Prescription[K], null> }

/** The list's columns; what only a page of them needs is worked out a row. */
export const rowsInSight = (ctx: QueryContext, where: RawBuilder<unknown> = sql`true`): RawBuilder<Row> => sql`
  select p.id, p.code, p.state, p.doctor_id as "doctorId", u.display_name as "doctorName",
    coalesce(h.name, '') as "hospitalName", p.department, p.patient_masked as patient, p.sex,
    extract(year from ${ctx.now()}::timestamptz)::int - p.birth_year as age, p.condition,
    coalesce((select string_agg(d.name || ' × ' || i.quantity, ' · ' order by i.index) from prescription_item i
      join product d on d.id = i.product_id where i.prescription_id = p.id), '') as medicines,
    coalesce((select jsonb_array_length(e.warnings) from prescription_event e
      where e.prescription_id = p.id and e.verb in ('submit', 'approve', 'reject') order by e.id desc limit 1), 0)
      as "warningCount",
    p.uses, case when p.state in ${statesIn(prescriptionState, 'over')} then 0 else p.uses - p.uses_opened
      + (select count(*) from (select 1 from prescription_item i where i.prescription_id = p.id
        and p.uses_opened > 0 and i.held + i.dispensed < i.allowed limit 1) open)::int end as "usesLeft",
    (select count(*) from prescription_fill f where f.prescription_id = p.id and f.is_dispensed)::int as "fillCount",
    m.name as "merchantName", r.display_name as "reviewerName", p.created_at as "createdAt",
    p.submitted_at as "submittedAt", p.reviewed_at as "reviewedAt", p.expires_at as "expiresAt"
  from prescription p join app_user u on u.id = p.doctor_id join merchant m on m.id = p.merchant_id
    left join hospital h on h.id = p.hospital_id left join app_user r on r.id = p.reviewed_by
  where ${isSeen(ctx.actor, 'p')} and ${where}`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  waiting: { by: sql`coalesce("submittedAt", "createdAt")`, type: 'timestamptz' },
  expiry: { by: sql`"expiresAt"`, type: 'timestamptz' },
}

export function listPrescriptionsIn(ctx: QueryContext, filter: Filter): Listing<Prescription> {
  const list = listRows({ rows: rowsInSight(ctx, within(ctx, filter)), order: orders[filter.sort] })
  return mapRows(list, (rows) =>
    rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      submittedAt: row.submittedAt?.toISOString() ?? null,
      reviewedAt: row.reviewedAt?.toISOString() ?? null,
      expiresAt: row.expiresAt.toISOString(),
    })),
  )
}

/** Asked of the tables themselves, so that each filter finds its index. */
function within(ctx: QueryContext, filter: Filter): RawBuilder<unknown> {
  const { keys } = ctx.services
  const patient = filter.patient
  return allOf([
    filter.code && sql`p.code like ${`${codeAsTyped(filter.code).replace(/[\\%_]/g, '')}%`}`,
    filter.doctor && sql`(${holds(sql`u.display_name`, filter.doctor)} or ${holds(sql`u.account`, filter.doctor)})`,
    filter.hospital && holds(sql`h.name`, filter.hospital),
    isAnyOf(sql`p.state`, filter.state),
    filter.repeat && (filter.repeat === 'once' ? sql`p.uses = 1` : sql`p.uses > 1`),
    patient &&
      sql`(p.patient_name_hash = ${personHash(keys, 'name', patient)}
        or p.patient_id_hash = ${personHash(keys, 'id', patient)})`,
    filter.medicine &&
      sql`exists (select from prescription_item i join product d on d.id = i.product_id where i.prescription_id = p.id
        and (${holds(sql`d.name`, filter.medicine)} or d.code = ${filter.medicine}))`,
    filter.productId &&
      sql`p.id in (select prescription_id from prescription_item where product_id = ${filter.productId})`,
    filter.doctorId && sql`p.doctor_id = ${filter.doctorId}`,
    filter.hospitalId && sql`p.hospital_id = ${filter.hospitalId}`,
    filter.merchantId &&
      sql`p.merchant_id in (select id from merchant where path @> array[${filter.merchantId}]::bigint[])`,
    ...withinDays(sql`p.created_at`, filter),
    (filter.soldFrom || filter.soldTo) &&
      sql`exists (select from prescription_fill f where f.prescription_id = p.id and f.is_dispensed
        and f.business_day between ${filter.soldFrom ?? '0001-01-01'}::date
          and ${filter.soldTo ?? '9999-12-31'}::date)`,
    filter.fill && fills[filter.fill],
  ])
}

const hasItem = (which: RawBuilder<unknown>) =>
  sql`exists (select from prescription_fill f join prescription_fill_item i on i.order_id = f.order_id
    where f.prescription_id = p.id and ${which})`
const fills: Record<NonNullable<Filter['fill']>, RawBuilder<unknown>> = {
  some: sql`exists (select from prescription_fill f where f.prescription_id = p.id and f.is_dispensed)`,
  none: sql`not exists (select from prescription_fill f where f.prescription_id = p.id and f.is_dispensed)`,
  doubt: hasItem(sql`i.state = 'unknown'`),
  excess: sql`exists (select from prescription_item i where i.prescription_id = p.id and i.excess > 0)`,
}

type Summary = OutputOf<typeof summarisePrescriptions>

export async function summary(ctx: QueryContext): Promise<Summary> {
  const mine = isSeen(ctx.actor, 'p')
  const found = await sql<Summary>`
    select count(*) filter (where p.state = 'submitted')::int as waiting,
      count(*) filter (where p.state = 'approved')::int as approved,
      count(*) filter (where p.state = 'rejected')::int as rejected,
      (select count(distinct p.id) from prescription_fill_item i join prescription_fill f on f.order_id = i.order_id
        join prescription p on p.id = f.prescription_id where i.state = 'unknown' and ${mine})::int as doubt,
      (select count(distinct p.id) from prescription_item i join prescription p on p.id = i.prescription_id
        where i.excess > 0 and ${mine})::int as excess,
      floor(extract(epoch from ${ctx.now()}::timestamptz - min(p.submitted_at) filter (where p.state = 'submitted'))
        / 60)::int as "longestMinutes"
    from prescription p where p.state in ${statesIn(prescriptionState, 'reviewed')} and ${mine}`.execute(ctx.db)
  return found.rows[0] ?? { waiting: 0, approved: 0, rejected: 0, doubt: 0, excess: 0, longestMinutes: null }
}

/** How many wait for a pharmacist, for the badge in the top bar. */
export async function countPendingPrescriptions(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from prescription
    where state = 'submitted' and ${merchantInSight(sight, sql`merchant_id`)}`.execute(db)
  return found.rows[0]?.count ?? 0
}
