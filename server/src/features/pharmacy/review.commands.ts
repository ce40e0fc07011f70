import { fillItemState, prescriptionState } from '@aisle/contract/pharmacy/states'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { Warning } from '@aisle/contract/pharmacy/medicine'
import type {
  approvePrescription,
  rejectPrescription,
  releasePrescription,
  revealPatient,
} from '@aisle/contract/pharmacy/review'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { CommandContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { signatureOf } from './content.rules'
import { findFillItems, loadPrescriptions } from './fill.store'
import { findWarnings } from './medicine.store'
import { openPatient } from './patient'
import { practiceOf } from './practice.store'
import { type Held, hold, appendEvent } from './prescription.store'
import { type Hindrance, reviewHindrance } from './review.rules'
import { settleItems } from './settle.commands'

const refusals: Record<Hindrance, string> = {
  state: 'prescription.state',
  own: 'prescription.own',
  samePerson: 'prescription.samePerson',
  notPharmacist: 'prescription.notPharmacist',
  practice: 'prescription.practice',
}

export async function approve(ctx: CommandContext, input: InputOf<typeof approvePrescription>) {
  const held = await hold(ctx, input.id, null)
  const { signer, contentHash } = await readyToSign(ctx, held, input.contentHash)
  if (held.expiresAt <= ctx.now()) refuse('prescription.state', { code: held.code })
  const warnings = await warningsNow(ctx, held)
  if (warnings.length > 0 && input.reason === '') refuse('prescription.warned', { count: warnings.length })
  await sign(ctx, held, { verb: 'approve', reason: input.reason, contentHash, signer, warnings })
  return { id: held.id, code: held.code, state: prescriptionState.to('approve') }
}

export async function reject(ctx: CommandContext, input: InputOf<typeof rejectPrescription>) {
  const held = await hold(ctx, input.id, null)
  const { signer, contentHash } = await readyToSign(ctx, held, input.contentHash)
  const warnings = await warningsNow(ctx, held)
  await sign(ctx, held, { verb: 'reject', reason: input.reason, contentHash, signer, warnings })
  return { id: held.id, code: held.code, state: prescriptionState.to('reject') }
}

type Signer = { licenceNumber: string }

/** A decision is on what was looked at, by somebody who may decide on it. */
async function readyToSign(
  ctx: CommandContext,
  held: Held,
  seenHash: string,
): Promise<{ signer: Signer; contentHash: Buffer }> {
  const { userId } = ctx.actor
  const practice = await practiceOf(ctx.tx, userId, businessTime(ctx.now(), PLATFORM_TIME_ZONE).day)
  const doctor = { userId: held.doctorId, phone: held.doctorPhone, email: held.doctorEmail }
  const hindrance = reviewHindrance({ userId, ...practice }, doctor, held.state)
  if (hindrance) refuse(refusals[hindrance], { code: held.code })
  const [loaded] = await loadPrescriptions(ctx.tx, sql`p.id = ${held.id}`)
  if (!loaded || loaded.contentHash.toString('hex') !== seenHash) return refuse('prescription.changed')
  return { signer: { licenceNumber: practice.licenceNumber ?? '' }, contentHash: loaded.contentHash }
}

async function warningsNow(ctx: CommandContext, held: Held): Promise<Warning[]> {
  const { merchantId, birthYear, patientFacts: facts, allergies, uses } = held
  const [loaded] = await loadPrescriptions(ctx.tx, sql`p.id = ${held.id}`)
  const patient = { birthYear, facts, allergies }
  return findWarnings(ctx.tx, merchantId, { patient, uses, lines: loaded?.lines ?? [] }, ctx.now())
}

type Signing = {
  verb: 'approve' | 'reject'
  reason: string
  contentHash: Buffer
  signer: Signer
  warnings: readonly Warning[]
}

async function sign(ctx: CommandContext, held: Held, signing: Signing): Promise<void> {
  const { verb, reason, contentHash, signer, warnings } = signing
  const { userId } = ctx.actor
  const at = ctx.now()
  const state = prescriptionState.to(verb)
  await sql`update prescription set state = ${state}, reviewed_by = ${userId}, reviewed_at = ${at},
      reviewed_hash = ${contentHash}, version = version + 1 where id = ${held.id}`.execute(ctx.tx)
  const signature = signatureOf(ctx.services.keys, { contentHash, verb, userId, at, reason })
  await appendEvent(ctx, held, {
    verb,
    reason,
    warnings,
    signed: { contentHash, signature, licenceNumber: signer.licenceNumber, at },
    before: { state: held.state },
    after: { state, contentHash: contentHash.toString('hex'), reason },
  })
}

/** Somebody has looked into the machine, or given up waiting for it. */
export async function release(ctx: CommandContext, { id, orderId, reason }: InputOf<typeof releasePrescription>) {
  const held = await hold(ctx, id, null)
  const items = await findFillItems(ctx.tx, [orderId])
  const doubtful = items.filter((item) => item.prescriptionId === id && fillItemState.is(item.state, 'unknown'))
  if (doubtful.length === 0) refuse('prescription.nothingHeld')
  const steps = doubtful.map((item) => ({ ...item, to: 'free' as const, batch: null, traceCode: null }))
  await settleItems(ctx.tx, steps, ctx.now())
  const packs = doubtful.length
  await appendEvent(ctx, held, { verb: 'release', reason, before: { orderId, packs }, after: { orderId, packs: 0 } })
  return { id, code: held.code, state: held.state }
}

export async function reveal(ctx: CommandContext, { id, reason }: InputOf<typeof revealPatient>) {
  const held = await hold(ctx, id, null)
  const patient = openPatient(ctx.services.keys, held.code, held.patientSealed)
  const after = { reason, seen: 'patient' }
  await ctx.audit({ merchantId: held.merchantId, objectKind: 'prescription', objectId: id, before: null, after })
  return patient
}
