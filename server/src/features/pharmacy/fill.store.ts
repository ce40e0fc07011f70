import { type FillItemState, type PrescriptionState } from '@aisle/contract/pharmacy/states'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import { contentHash, type SignedContent } from './content.rules'
import type { Fillable, FillLine } from './fill.rules'

/** A prescription with all that decides what may be had on it; its row is locked. */
export type Loaded = Fillable &
  Pick<SignedContent, 'code' | 'doctorId' | 'hospitalId'> & {
    id: number
    merchantId: number
    personHash: Buffer | null
    lines: LoadedLine[]
    contentHash: Buffer
  }
type LoadedLine = FillLine & SignedContent['lines'][number]

type Row = Omit<SignedContent, 'lines'> & {
  id: number
  merchantId: number
  state: PrescriptionState
  expiresAt: Date
  usesOpened: number
  lastDispensedAt: Date | null
  reviewedHash: Buffer | null
}

/** In the order of their ids for every writer, so that two batches never wait for each other in a ring. */
export async function lockPrescriptions(tx: Tx, which: RawBuilder<unknown>): Promise<Loaded[]> {
  return loadPrescriptions(tx, sql`${which} order by p.id for update of p`)
}

export async function loadPrescriptions(db: Reader, which: RawBuilder<unknown>): Promise<Loaded[]> {
  const found = await sql<Row>`
    select p.id, p.code, p.merchant_id as "merchantId", p.state, p.doctor_id as "doctorId",
      p.hospital_id as "hospitalId", p.department, p.patient_name_hash as "patientNameHash",
      p.patient_id_hash as "patientIdHash", p.sex, p.birth_year as "birthYear", p.patient_facts as "patientFacts",
      p.allergies, p.condition, p.advice, p.uses, p.interval_days as "intervalDays", p.uses_opened as "usesOpened",
      p.last_dispensed_at as "lastDispensedAt", p.expires_at as "expiresAt", p.reviewed_hash as "reviewedHash"
    from prescription p where ${which}`.execute(db)
  if (found.rows.length === 0) return []
  const lines = await sql<LoadedLine & { prescriptionId: number }>`
    select prescription_id as "prescriptionId", product_id as "productId", quantity, dose::float8 as dose,
      times_a_day as "timesADay", days, usage, allowed, held, dispensed
    from prescription_item where prescription_id = any(${found.rows.map(({ id }) => id)}::bigint[])
    order by prescription_id, index`.execute(db)
  return found.rows.map((row): Loaded => {
    const own = lines.rows.filter(({ prescriptionId }) => prescriptionId === row.id)
    const hash = contentHash({ ...row, lines: own })
    const isSigned = row.reviewedHash?.equals(hash) ?? false
    return { ...row, personHash: row.patientIdHash, lines: own, contentHash: hash, isSigned }
  })
}

/** Machines that may sell a prescription: of its merchant's line, authorised to it, or bound to its doctor. */
export async function tiesOf(
  tx: Tx,
  asked: readonly { machineId: number; prescriptionId: number }[],
): Promise<Set<string>> {
  const found = await sql<{ machine_id: number; prescription_id: number }>`
    select a.machine_id, a.prescription_id
    from ${rows('a', asked, { machineId: 'bigint', prescriptionId: 'bigint' })}
    join prescription p on p.id = a.prescription_id join merchant wrote on wrote.id = p.merchant_id
    join machine m on m.id = a.machine_id join merchant owner on owner.id = m.merchant_id
    where wrote.id = any(owner.path) or owner.id = any(wrote.path)
      or exists (select from machine_grant_merchant g where g.machine_id = m.id and g.merchant_id = wrote.id
        and (g.ends_at is null or g.ends_at > now()))
      or exists (select from machine_grant_user g where g.machine_id = m.id and g.user_id = p.doctor_id
        and (g.ends_at is null or g.ends_at > now()))`.execute(tx)
  return new Set(found.rows.map((row) => tieKey(row.machine_id, row.prescription_id)))
}
export const tieKey = (machineId: number, prescriptionId: number) => `${machineId}/${prescriptionId}`

export type NewFill = {
  orderId: number
  prescriptionId: number
  merchantId: number
  machineId: number
  occurredAt: Date
  businessDay: string
  doctorId: number
  hospitalId: number | null
  items: { index: number; productId: number; priceFen: number }[]
}

export async function insertFills(tx: Tx, fills: readonly NewFill[]): Promise<void> {
  if (fills.length === 0) return
  await sql`insert into prescription_fill (order_id, prescription_id, merchant_id, machine_id, occurred_at,
      business_day, doctor_id, hospital_id)
    select * from ${rows('f', fills, {
      orderId: 'bigint',
      prescriptionId: 'bigint',
      merchantId: 'bigint',
      machineId: 'bigint',
      occurredAt: 'timestamptz',
      businessDay: 'date',
      doctorId: 'bigint',
      hospitalId: 'bigint',
    })}`.execute(tx)
  const items = fills.flatMap(({ orderId, items: own }) => own.map((item) => ({ orderId, ...item })))
  await sql`insert into prescription_fill_item (order_id, index, product_id, price_fen)
    select * from ${rows('i', items, {
      orderId: 'bigint',
      index: 'smallint',
      productId: 'bigint',
      priceFen: 'bigint',
    })}`.execute(tx)
}

/** What a line and the uses of its prescription have become; the rows are locked by their prescription. */
export async function saveCounts(
  tx: Tx,
  changed: readonly { id: number; usesOpened: number; lines: readonly (FillLine & { excess?: number })[] }[],
): Promise<void> {
  if (changed.length === 0) return
  const lines = changed.flatMap(({ id, lines: own }) => own.map((line) => ({ id, excess: 0, ...line })))
  await sql`update prescription_item i
    set allowed = l.allowed, held = l.held, dispensed = l.dispensed, excess = i.excess + l.excess
    from ${rows('l', lines, {
      id: 'bigint',
      productId: 'bigint',
      allowed: 'int',
      held: 'int',
      dispensed: 'int',
      excess: 'int',
    })} where i.prescription_id = l.id and i.product_id = l.product_id`.execute(tx)
  await sql`update prescription p set uses_opened = c.uses_opened
    from ${rows('c', changed, { id: 'bigint', usesOpened: 'int' })}
    where p.id = c.id and p.uses_opened <> c.uses_opened`.execute(tx)
}

export type FillItem = {
  orderId: number
  prescriptionId: number
  index: number
  productId: number
  state: FillItemState
}

export async function findFillItems(db: Reader, orderIds: readonly number[]): Promise<FillItem[]> {
  const found = await sql<FillItem>`
    select i.order_id as "orderId", f.prescription_id as "prescriptionId", i.index, i.product_id as "productId", i.state
    from prescription_fill f join prescription_fill_item i on i.order_id = f.order_id
    where f.order_id = any(${[...orderIds]}::bigint[]) order by i.order_id, i.index`.execute(db)
  return found.rows
}

export type SettledItem = FillItem & { batch: string | null; traceCode: string | null }

export async function saveFillItems(tx: Tx, items: readonly SettledItem[], at: Date): Promise<void> {
  if (items.length === 0) return
  await sql`update prescription_fill_item i set state = s.state, batch = s.batch, trace_code = s.trace_code
    from ${rows('s', items, {
      orderId: 'bigint',
      index: 'smallint',
      state: 'text',
      batch: 'text',
      traceCode: 'text',
    })} where i.order_id = s.order_id and i.index = s.index`.execute(tx)
  const orderIds = [...new Set(items.map(({ orderId }) => orderId))]
  await sql`update prescription_fill f set settled_at = coalesce(f.settled_at, ${at}),
      is_dispensed = exists (select from prescription_fill_item i
        where i.order_id = f.order_id and i.state = 'dispensed')
    where f.order_id = any(${orderIds}::bigint[])`.execute(tx)
}

/** Of orders that were never opened: nothing of them is left. */
export async function removeFills(tx: Tx, orderIds: readonly number[]): Promise<void> {
  if (orderIds.length === 0) return
  await sql`delete from prescription_fill where order_id = any(${[...orderIds]}::bigint[])`.execute(tx)
}
