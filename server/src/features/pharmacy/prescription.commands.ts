import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { prescriptionState } from '@aisle/contract/pharmacy/states'
import type { Warning } from '@aisle/contract/pharmacy/medicine'
import {
  type amendPrescription,
  type cancelPrescription,
  type editPrescription,
  type PrescriptionLine,
  type submitPrescription,
  substancesIn,
  type writePrescription,
} from '@aisle/contract/pharmacy/write'
import { prescriptionDays } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { refusal, refuse } from '../../kernel/refuse'
import { settingOf } from '../../kernel/settings'
import { isIdNumber, newCode } from './code.rules'
import type { Content } from './content.rules'
import { findWarnings, isLimited, knownMedicines } from './medicine.store'
import { openPatient, sealPatient } from './patient'
import { practiceOf } from './practice.store'
import {
  type Held,
  hold,
  insertPrescription,
  linesOf,
  moveTo,
  putLines,
  appendEvent,
  updateContent,
} from './prescription.store'

const DAY_MS = 86_400_000
/** A draft that nobody goes on with is forgotten. */
const DRAFT_DAYS = 30

const today = (ctx: CommandContext) => businessTime(ctx.now(), PLATFORM_TIME_ZONE).day
const after = (ctx: CommandContext, days: number) => new Date(ctx.now().getTime() + days * DAY_MS)
const answer = ({ id, code }: { id: number; code: string }, state: Held['state']) => ({ id, code, state })

/** @throws Refusal prescription.notDoctor, prescription.practice */
async function refuseUnlessDoctor(ctx: CommandContext): Promise<void> {
  const { profession, licenceNumber } = await practiceOf(ctx.tx, ctx.actor.userId, today(ctx))
  if (profession !== 'doctor') refuse('prescription.notDoctor')
  if (licenceNumber === null) refuse('prescription.practice')
}

/** Nobody writes on in the name of another doctor. */
async function holdOwn(ctx: CommandContext, id: number, verb: 'submit' | null): Promise<Held> {
  const held = await hold(ctx, id, verb)
  if (held.doctorId !== ctx.actor.userId) refuse('prescription.notDoctor')
  await refuseUnlessDoctor(ctx)
  return held
}

export async function write(ctx: CommandContext, input: InputOf<typeof writePrescription>) {
  const { patientName, patientIdNumber, warningReason, isSubmitted, lines, ...rest } = input
  await refuseUnlessDoctor(ctx)
  const { merchantId, userId: doctorId } = ctx.actor
  const content = contentOf(rest)
  await refuseBadContent(ctx, merchantId, content, lines, patientIdNumber)
  const code = newCode(today(ctx))
  const patient = sealPatient(ctx.services.keys, code, { name: patientName, idNumber: patientIdNumber.toUpperCase() })
  const made = { code, merchantId, doctorId, patient, amendedFrom: null, at: ctx.now() }
  const id = await insertPrescription(ctx.tx, { ...content, ...made, expiresAt: after(ctx, DRAFT_DAYS) })
  await putLines(ctx.tx, id, lines)
  const state = prescriptionState.initial
  const audited = { code, state, ...content, lines }
  await appendEvent(ctx, { id, merchantId }, { verb: 'write', before: null, after: audited })
  if (!isSubmitted) return answer({ id, code }, state)
  return submitHeld(ctx, await hold(ctx, id, 'submit'), warningReason)
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editPrescription>) {
  const { id, version, patientName, patientIdNumber, lines, ...rest } = input
  const held = await holdOwn(ctx, id, null)
  const before = { ...contentOf({ ...held, allergies: held.allergies.join(', ') }), lines: await linesOf(ctx.tx, id) }
  const content = contentOf(rest)
  refuseStale(ctx, { version }, held, before, { ...content, lines })
  if (!prescriptionState.can(held.state, 'submit')) refuse('prescription.state', { code: held.code })
  await refuseBadContent(ctx, held.merchantId, content, lines, patientIdNumber)
  const known = openPatient(ctx.services.keys, held.code, held.patientSealed)
  const patient = sealPatient(ctx.services.keys, held.code, {
    name: patientName || known.name,
    idNumber: patientIdNumber.toUpperCase() || known.idNumber,
  })
  await updateContent(ctx.tx, id, content, patient)
  await putLines(ctx.tx, id, lines)
  await appendEvent(ctx, held, { verb: 'edit', before, after: { ...content, lines } })
  return answer(held, held.state)
}

export async function submit(ctx: CommandContext, input: InputOf<typeof submitPrescription>) {
  const { id, version, warningReason } = input
  const held = await holdOwn(ctx, id, 'submit')
  refuseStale(ctx, { version }, held, {}, {})
  return submitHeld(ctx, held, warningReason)
}

async function submitHeld(ctx: CommandContext, held: Held, reason: string) {
  const { id, merchantId, uses, intervalDays, code } = held
  const lines = await linesOf(ctx.tx, id)
  const warnings = await warningsFor(ctx, held, lines)
  if (warnings.length > 0 && reason === '') refuse('prescription.warned', { count: warnings.length })
  const ids = lines.map(({ productId }) => productId)
  if (!held.hasIdNumber && (await isLimited(ctx.tx, ids))) refuse('prescription.needsId')
  const days = await settingOf(ctx.tx, prescriptionDays, merchantId)
  // Each use has its days; the last one may begin when all intervals are over.
  const expiresAt = after(ctx, days + intervalDays * (uses - 1))
  const state = prescriptionState.to('submit')
  await sql`update prescription set submitted_at = ${ctx.now()}, expires_at = ${expiresAt},
      reviewed_by = null, reviewed_at = null, reviewed_hash = null where id = ${id}`.execute(ctx.tx)
  await moveTo(ctx.tx, id, state)
  const told = { before: { state: held.state }, after: { state, expiresAt: expiresAt.toISOString() } }
  await appendEvent(ctx, held, { verb: 'submit', reason, warnings, ...told })
  if (held.amendedFrom !== null) await replace(ctx, held.amendedFrom, code)
  return answer(held, state)
}

/** What an amended copy stands for is not to be had twice. */
async function replace(ctx: CommandContext, id: number, code: string): Promise<void> {
  const first = await hold(ctx, id, null)
  if (!prescriptionState.can(first.state, 'cancel')) return
  const state = prescriptionState.to('cancel')
  await moveTo(ctx.tx, id, state)
  await appendEvent(ctx, first, { verb: 'cancel', reason: code, before: { state: first.state }, after: { state } })
}

const warningsFor = (
  ctx: CommandContext,
  { merchantId, birthYear, patientFacts: facts, allergies, uses }: Held,
  lines: readonly PrescriptionLine[],
): Promise<Warning[]> =>
  findWarnings(ctx.tx, merchantId, { patient: { birthYear, facts, allergies }, uses, lines }, ctx.now())

export async function amend(ctx: CommandContext, { id, reason }: InputOf<typeof amendPrescription>) {
  const held = await holdOwn(ctx, id, null)
  if (prescriptionState.can(held.state, 'submit')) refuse('prescription.state', { code: held.code })
  const code = newCode(today(ctx))
  const { keys } = ctx.services
  const patient = sealPatient(keys, code, openPatient(keys, held.code, held.patientSealed))
  const made = { code, patient, amendedFrom: id, at: ctx.now(), expiresAt: after(ctx, DRAFT_DAYS) }
  const copyId = await refusedBy(
    'prescription_amended',
    insertPrescription(ctx.tx, { ...held, ...made, doctorId: ctx.actor.userId }),
    () => refusal('prescription.amended', { code: held.code }),
  )
  await putLines(ctx.tx, copyId, await linesOf(ctx.tx, id))
  const state = prescriptionState.initial
  await appendEvent(
    ctx,
    { id: copyId, merchantId: held.merchantId },
    {
      verb: 'amend',
      reason,
      before: null,
      after: { code, state, amendedFrom: held.code },
    },
  )
  return answer({ id: copyId, code }, state)
}

export async function cancel(ctx: CommandContext, { id, reason }: InputOf<typeof cancelPrescription>) {
  const held = await hold(ctx, id, 'cancel')
  const state = prescriptionState.to('cancel')
  await moveTo(ctx.tx, id, state)
  await appendEvent(ctx, held, { verb: 'cancel', reason, before: { state: held.state }, after: { state } })
  return answer(held, state)
}

type Typed = Omit<Content, 'allergies'> & { allergies: string }

/** A single use has no days between. */
const contentOf = (typed: Typed): Content => ({
  hospitalId: typed.hospitalId,
  department: typed.department,
  sex: typed.sex,
  birthYear: typed.birthYear,
  patientFacts: typed.patientFacts,
  allergies: substancesIn(typed.allergies),
  condition: typed.condition,
  advice: typed.advice,
  uses: typed.uses,
  intervalDays: typed.uses === 1 ? 0 : Math.max(1, typed.intervalDays),
})

async function refuseBadContent(
  ctx: CommandContext,
  merchantId: number,
  { hospitalId, birthYear }: Content,
  lines: readonly PrescriptionLine[],
  idNumber: string,
): Promise<void> {
  const ids = lines.map(({ productId }) => productId)
  if (new Set(ids).size < ids.length) refuse('prescription.medicineTwice')
  const known = await knownMedicines(ctx.tx, merchantId, ids)
  if (known.size < ids.length) refuse('prescription.medicine')
  if (idNumber !== '' && !isIdNumber(idNumber.toUpperCase(), birthYear)) refuse('prescription.idNumber')
  if (hospitalId === null) return
  const open = await sql`select from hospital h join merchant m on m.id = ${merchantId}
    where h.id = ${hospitalId} and h.merchant_id = any(m.path) and h.state = 'active' for key share of h`.execute(
    ctx.tx,
  )
  if (open.rows.length === 0) refuse('prescription.hospital')
}
