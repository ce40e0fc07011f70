import type { Warning } from '@aisle/contract/pharmacy/medicine'
import type { PrescriptionLine } from '@aisle/contract/pharmacy/write'
import { type PrescriptionState, prescriptionState } from '@aisle/contract/pharmacy/states'
import { isGranted } from '@aisle/contract/identity/permissions'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Actor, CommandContext, Reader, Tx } from '../../kernel/context'
import { only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import type { Content } from './content.rules'
import type { SealedPatient } from './patient'

/** Prescriptions of merchants in sight; who writes them and doesn't review sees their own. @param p the alias */
export function isSeen(actor: Actor, p: string): RawBuilder<boolean> {
  const inSight = merchantInSight(sightOf(actor), sql.ref(`${p}.merchant_id`))
  const isWriter = actor.kind === 'doctor' && !isGranted(actor.grants, 'prescription.review')
  return isWriter ? sql<boolean>`(${inSight} and ${sql.ref(`${p}.doctor_id`)} = ${actor.userId})` : inSight
}

export type Held = {
  id: number
  code: string
  merchantId: number
  state: PrescriptionState
  version: number
  doctorId: number
  doctorPhone: string | null
  doctorEmail: string | null
  hospitalId: number | null
  department: string
  sex: string
  birthYear: number
  patientFacts: string[]
  allergies: string[]
  condition: string
  advice: string
  uses: number
  intervalDays: number
  expiresAt: Date
  amendedFrom: number | null
  patientSealed: Buffer
  hasIdNumber: boolean
}

/** @throws Refusal request.notFound, also for what is out of sight; prescription.state unless the verb may be done */
export async function hold(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof prescriptionState.moves | null,
): Promise<Held> {
  const found = await sql<Held>`
    select p.id, p.code, p.merchant_id as "merchantId", p.state, p.version, p.doctor_id as "doctorId",
      u.phone as "doctorPhone", u.email as "doctorEmail", p.hospital_id as "hospitalId", p.department, p.sex,
      p.birth_year as "birthYear", p.patient_facts as "patientFacts", p.allergies, p.condition, p.advice, p.uses,
      p.interval_days as "intervalDays", p.expires_at as "expiresAt", p.amended_from as "amendedFrom",
      p.patient_sealed as "patientSealed", p.patient_id_hash is not null as "hasIdNumber"
    from prescription p join app_user u on u.id = p.doctor_id
    where p.id = ${id} and ${isSeen(ctx.actor, 'p')} for update of p`.execute(ctx.tx)
  const row = existing(found.rows[0])
  if (verb && !prescriptionState.can(row.state, verb)) refuse('prescription.state', { code: row.code })
  return row
}

export async function linesOf(db: Reader, id: number): Promise<PrescriptionLine[]> {
  const found = await sql<PrescriptionLine>`
    select product_id as "productId", quantity, dose::float8 as dose, times_a_day as "timesADay", days, usage
    from prescription_item where prescription_id = ${id} order by index`.execute(db)
  return found.rows
}

export type NewPrescription = Content & {
  code: string
  merchantId: number
  doctorId: number
  patient: SealedPatient
  expiresAt: Date
  amendedFrom: number | null
  at: Date
}

export async function insertPrescription(tx: Tx, made: NewPrescription): Promise<number> {
  const { patient } = made
  const found = await sql<{ id: number }>`insert into prescription (code, merchant_id, doctor_id, hospital_id,
      department, patient_sealed, patient_masked, patient_name_hash, patient_id_masked, patient_id_hash, sex,
      birth_year, patient_facts, allergies, condition, advice, uses, interval_days, amended_from, created_at,
      expires_at)
    values (${made.code}, ${made.merchantId}, ${made.doctorId}, ${made.hospitalId}, ${made.department},
      ${patient.sealed}, ${patient.masked}, ${patient.nameHash}, ${patient.idMasked}, ${patient.idHash}, ${made.sex},
      ${made.birthYear}, ${[...made.patientFacts]}::text[], ${[...made.allergies]}::text[], ${made.condition},
      ${made.advice}, ${made.uses}, ${made.intervalDays}, ${made.amendedFrom}, ${made.at}, ${made.expiresAt})
    returning id`.execute(tx)
  return only(found).id
}

export async function updateContent(tx: Tx, id: number, content: Content, patient: SealedPatient): Promise<void> {
  await sql`update prescription set hospital_id = ${content.hospitalId}, department = ${content.department},
      patient_sealed = ${patient.sealed}, patient_masked = ${patient.masked}, patient_name_hash = ${patient.nameHash},
      patient_id_masked = ${patient.idMasked}, patient_id_hash = ${patient.idHash}, sex = ${content.sex},
      birth_year = ${content.birthYear}, patient_facts = ${[...content.patientFacts]}::text[],
      allergies = ${[...content.allergies]}::text[], condition = ${content.condition}, advice = ${content.advice},
      uses = ${content.uses}, interval_days = ${content.intervalDays}, version = version + 1
    where id = ${id}`.execute(tx)
}

export async function putLines(tx: Tx, id: number, lines: readonly PrescriptionLine[]): Promise<void> {
  const written = lines.map((line, index) => ({ ...line, id, index, dose: String(line.dose) }))
  await sql`delete from prescription_item where prescription_id = ${id}`.execute(tx)
  await sql`insert into prescription_item (prescription_id, index, product_id, quantity, dose, times_a_day, days, usage)
    select id, index, product_id, quantity, dose::numeric, times_a_day, days, usage
    from ${rows('l', written, {
      id: 'bigint',
      index: 'smallint',
      productId: 'bigint',
      quantity: 'int',
      dose: 'text',
      timesADay: 'int',
      days: 'int',
      usage: 'text',
    })}`.execute(tx)
}

export type Told = {
  verb: 'write' | 'edit' | 'submit' | 'approve' | 'reject' | 'cancel' | 'expire' | 'amend' | 'release'
  reason?: string
  warnings?: readonly Warning[]
  /** `at`: the very moment that the signature names. */
  signed?: { contentHash: Buffer; signature: Buffer; licenceNumber: string; at: Date }
}

/** The story of a prescription, and the audit row of the command. */
export async function appendEvent(
  ctx: CommandContext,
  { id, merchantId }: { id: number; merchantId: number },
  told: Told & { before: Record<string, unknown> | null; after: Record<string, unknown> | null },
): Promise<void> {
  const { verb, reason = '', warnings = [], signed, before, after } = told
  await sql`insert into prescription_event (prescription_id, verb, at, user_id, reason, content_hash, signature,
      licence_number, warnings)
    values (${id}, ${verb}, ${signed?.at ?? ctx.now()}, ${ctx.actor.userId}, ${reason}, ${signed?.contentHash ?? null},
      ${signed?.signature ?? null}, ${signed?.licenceNumber ?? ''}, ${JSON.stringify(warnings)}::jsonb)`.execute(ctx.tx)
  await ctx.audit({ merchantId, objectKind: 'prescription', objectId: id, before, after })
}

/** A move of the state table, by compare-and-set: the row is locked by `hold`. */
export async function moveTo(tx: Tx, id: number, state: PrescriptionState): Promise<void> {
  await sql`update prescription set state = ${state}, version = version + 1 where id = ${id}`.execute(tx)
}
