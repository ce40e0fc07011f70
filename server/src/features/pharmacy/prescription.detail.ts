import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getPrescription } from '@aisle/contract/pharmacy/prescription'
import { type PrescriptionState, prescriptionState } from '@aisle/contract/pharmacy/states'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { QueryContext } from '../../kernel/context'
import { dosageFormIn } from '../medicine/public'
import { isSignature } from './content.rules'
import { nextUseMs } from './fill.rules'
import { type Loaded, loadPrescriptions } from './fill.store'
import { findWarnings } from './medicine.store'
import { practiceOf } from './practice.store'
import { rowsInSight } from './prescription.reads'
import { reviewHindrance } from './review.rules'

type Detail = OutputOf<typeof getPrescription>
type Base = Omit<
  Detail,
  | keyof Moments
  | (
      | 'lines'
      | 'warnings'
      | 'warningReason'
      | 'decisions'
      | 'fills'
      | 'story'
      | 'hindrance'
      | 'contentHash'
      | 'nextUseAt'
    )
> &
  Moments & { doctorPhone: string | null; doctorEmail: string | null }
type Moments = { createdAt: Date; expiresAt: Date; submittedAt: Date | null; reviewedAt: Date | null }

export async function findPrescriptionDetail(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const found = await sql<Base>`
    select s.*, p.version, p.hospital_id as "hospitalId", p.birth_year as "birthYear",
      p.patient_id_masked as "idNumber",
      p.patient_facts as "patientFacts", p.allergies, p.advice, p.interval_days as "intervalDays",
      to_json(p.last_dispensed_at) #>> '{}' as "lastDispensedAt", p.doctor_id = ${ctx.actor.userId} as "isOwn",
      (select json_build_object('id', o.id, 'code', o.code) from prescription o where o.id = p.amended_from)
        as "amendedFrom",
      (select json_build_object('id', o.id, 'code', o.code) from prescription o where o.amended_from = p.id
        order by o.id desc limit 1) as "amendedTo",
      d.phone as "doctorPhone", d.email as "doctorEmail"
    from (${rowsInSight(ctx, sql`p.id = ${id}`)}) s join prescription p on p.id = s.id
      join app_user d on d.id = p.doctor_id`.execute(ctx.db)
  const [base] = found.rows
  const [loaded] = await loadPrescriptions(ctx.db, sql`p.id = ${id}`)
  if (!base || !loaded) return undefined
  const { doctorPhone, doctorEmail, ...rest } = base
  const { userId } = ctx.actor
  const practice = await practiceOf(ctx.db, userId, businessTime(ctx.now(), PLATFORM_TIME_ZONE).day)
  const doctor = { userId: base.doctorId, phone: doctorPhone, email: doctorEmail }
  const { birthYear, patientFacts: facts, allergies, uses } = base
  const patient = { birthYear, facts, allergies }
  const events = await eventsOf(ctx, id)
  return {
    ...rest,
    createdAt: rest.createdAt.toISOString(),
    expiresAt: rest.expiresAt.toISOString(),
    submittedAt: rest.submittedAt?.toISOString() ?? null,
    reviewedAt: rest.reviewedAt?.toISOString() ?? null,
    contentHash: loaded.contentHash.toString('hex'),
    lines: await linesOf(ctx, id),
    warnings: await findWarnings(ctx.db, loaded.merchantId, { patient, uses, lines: loaded.lines }, ctx.now()),
    warningReason: events.findLast(({ verb }) => verb === 'submit')?.note ?? '',
    decisions: await decisionsOf(ctx, id, loaded.contentHash),
    nextUseAt: nextUseOf(loaded, base.state, ctx.now()),
    fills: await fillsOf(ctx, id),
    story: events,
    hindrance: reviewHindrance({ userId, ...practice }, doctor, base.state),
  }
}

function nextUseOf(loaded: Loaded, state: PrescriptionState, now: Date): string | null {
  if (!prescriptionState.can(state, 'dispense') || loaded.usesOpened >= loaded.uses) return null
  const at = nextUseMs(loaded)
  return at > now.getTime() ? new Date(at).toISOString() : null
}

async function linesOf(ctx: QueryContext, id: number): Promise<Detail['lines']> {
  const found = await sql<Detail['lines'][number]>`
    select i.product_id as "productId", d.code, d.name, d.specification, d.medicine_class as "medicineClass",
      ${dosageFormIn(ctx.language, sql`m.dosage_form`, sql`own.path`)} as "dosageForm",
      coalesce(m.approval_number, '') as "approvalNumber", d.picture,
      i.quantity, i.dose::float8 as dose, coalesce(nullif(m.dose_unit, ''), d.unit) as "doseUnit",
      i.times_a_day as "timesADay", i.days, i.usage, i.held, i.dispensed, i.excess,
      i.quantity * p.uses - i.held - i.dispensed as left
    from prescription_item i join prescription p on p.id = i.prescription_id join merchant own on own.id = p.merchant_id
      join product d on d.id = i.product_id left join medicine m on m.product_id = i.product_id
    where i.prescription_id = ${id} order by i.index`.execute(ctx.db)
  return found.rows
}

type Signed = Omit<Detail['decisions'][number], 'isGenuine' | 'isSameContent' | 'contentHash' | 'signature' | 'at'> & {
  userId: number
  at: Date
  contentHash: Buffer
  signature: Buffer
}

async function decisionsOf(ctx: QueryContext, id: number, now: Buffer): Promise<Detail['decisions']> {
  const found = await sql<Signed>`
    select e.verb, u.display_name as by, e.user_id as "userId", e.licence_number as "licenceNumber", e.at, e.reason,
      e.content_hash as "contentHash", e.signature, e.warnings
    from prescription_event e join app_user u on u.id = e.user_id
    where e.prescription_id = ${id} and e.signature is not null and e.content_hash is not null
      and e.user_id is not null
    order by e.id desc`.execute(ctx.db)
  return found.rows.map(({ userId, ...said }) => ({
    ...said,
    at: said.at.toISOString(),
    contentHash: said.contentHash.toString('hex'),
    signature: said.signature.toString('hex'),
    isGenuine: isSignature(ctx.services.keys, { ...said, userId }, said.signature),
    isSameContent: said.contentHash.equals(now),
  }))
}

async function fillsOf(ctx: QueryContext, id: number): Promise<Detail['fills']> {
  const found = await sql<Detail['fills'][number]>`
    select f.order_id as "orderId", n.order_no as "orderNo", k.code as "machineCode", k.name as "machineName",
      to_json(f.occurred_at) #>> '{}' as at,
      (select json_agg(json_build_object('name', d.name, 'state', i.state, 'batch', i.batch, 'traceCode', i.trace_code,
          'priceFen', i.price_fen) order by i.index)
        from prescription_fill_item i join product d on d.id = i.product_id where i.order_id = f.order_id) as items
    from prescription_fill f join order_number n on n.order_id = f.order_id
      join machine k on k.id = f.machine_id
    where f.prescription_id = ${id} order by f.occurred_at desc, f.order_id desc limit 100`.execute(ctx.db)
  return found.rows
}

async function eventsOf(ctx: QueryContext, id: number): Promise<Detail['story']> {
  const found = await sql<Detail['story'][number]>`
    select e.id, to_json(e.at) #>> '{}' as at, e.verb, u.display_name as who, e.reason as note
    from prescription_event e left join app_user u on u.id = e.user_id
    where e.prescription_id = ${id} order by e.id`.execute(ctx.db)
  return found.rows
}
