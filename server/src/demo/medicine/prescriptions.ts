import { getPrescription } from '@aisle/contract/pharmacy/prescription'
import { approvePrescription, rejectPrescription } from '@aisle/contract/pharmacy/review'
import { cancelPrescription, warnOfPrescription, writePrescription } from '@aisle/contract/pharmacy/write'
import { sql } from 'kysely'
import { isIdNumber } from '../../features/pharmacy/code.rules'
import { DAY_MS } from '../calendar'
import { DEMO_OPERATOR, ownerOf } from '../data/merchants'
import { type PlanSeed, plans, rejections, treatments } from '../data/prescriptions'
import { practitioners } from '../data/staff'
import type { Network } from '../life/standing'
import type { Past } from '../life/within'
import { catalogue } from '../network/catalogue'
import { nameFrom, type Random, randomFrom, seedOf, withCheckDigit } from '../random'

const MINUTE_MS = 60_000
const PAPERS_A_MACHINE = 2

type Wanted = Pick<PlanSeed, 'end' | 'uses' | 'intervalDays'> & {
  treatments: readonly (typeof treatments)[number][]
  atMs: number
  doctor: string
  pharmacist: string
}

/**
 * Prescriptions at the merchant of the demo's doctor, in every state, and repeats that customers of hospitals' machines
 * hold, each for a medicine in them: one pack a day. Comes after the staff and the medicines.
 */
export async function prescribe(past: Past, network: Network, sinceMs: number): Promise<void> {
  const practices = await readPractices(past)
  for (const { machine, slots, held } of network) {
    const team = teamOf(ownerOf(machine.point.region, 'operator'))
    const random = randomFrom(seedOf(`prescriptions/${machine.code}`))
    const known = [...new Set(slots.map((slot) => slot.product))].flatMap((product) => {
      const treatment = treatments.find(({ name }) => name === product?.name)
      return product?.medicineClass === 'rx' && treatment ? [{ product, treatment }] : []
    })
    for (const { product, treatment } of known.slice(0, PAPERS_A_MACHINE)) {
      const atMs = sinceMs - random.between(30, 600) * MINUTE_MS
      const people = { doctor: random.pick(team.doctors), pharmacist: random.pick(team.pharmacists) }
      const wanted: Wanted = { end: 'approved', treatments: [treatment], atMs, uses: 24, intervalDays: 1, ...people }
      held.prescriptions.push({ code: await play(past, practices, wanted, random), product: product.code })
    }
  }
  const random = randomFrom(seedOf('prescriptions/living'))
  const { doctors, pharmacists } = teamOf(DEMO_OPERATOR)
  for (const { count, ago, ...plan } of plans) {
    for (let n = 0; n < count; n += 1) {
      const doctor = n % 2 === 0 ? 'doctor' : random.pick(doctors)
      const atMs = past.latestMs - random.between(ago[0], ago[1]) * MINUTE_MS
      const first = random.pick(treatments)
      const second = random.chance(0.3) ? treatments.filter((each) => each !== first).slice(0, 1) : []
      const people = { doctor, pharmacist: random.pick(pharmacists) }
      await play(past, practices, { ...plan, treatments: [first, ...second], atMs, ...people }, random)
    }
  }
  past.at(past.latestMs)
  await past.run('pharmacy.expire')
}

type Practice = { hospitalId: number | null; department: string }
type Practices = ReadonlyMap<string, Practice>

async function readPractices({ tx }: Past): Promise<Practices> {
  const found = await sql<Practice & { account: string }>`select u.account, d.department, d.hospital_id as "hospitalId"
    from doctor d join app_user u on u.id = d.user_id`.execute(tx)
  return new Map(found.rows.map(({ account, ...practice }) => [account, practice]))
}

/** Whose licences hold for as long as the story goes back. */
function teamOf(owner: string) {
  const able = practitioners.filter(({ merchant, daysLeft }) => merchant === owner && daysLeft !== undefined)
  const named = (profession: string) =>
    able.filter((each) => each.profession === profession && (each.daysLeft ?? 1) > 0).map(({ account }) => account)
  return { doctors: named('doctor'), pharmacists: named('pharmacist') }
}

/** Written, warned of, looked at and signed, as at their desks. @returns its code */
async function play({ at, as, idOf }: Past, practices: Practices, wanted: Wanted, random: Random): Promise<string> {
  const { end, doctor, pharmacist, atMs, uses = 1, intervalDays = 0 } = wanted
  const [first] = wanted.treatments
  const quantity = random.chance(0.1) ? 4 : 1
  const lines = wanted.treatments.map(({ name, dose, timesADay, days, usage }) => {
    const code = catalogue.find((each) => each.name === name)?.code ?? name
    return { productId: idOf('product', code), quantity, dose, timesADay, days, usage }
  })
  const patient = personOf(random)
  const { birthYear, patientFacts } = patient
  at(atMs)
  const { warnings } = await as(doctor, warnOfPrescription, { birthYear, patientFacts, uses, lines })
  const isWarned = warnings.length > 0
  const { id, code } = await as(doctor, writePrescription, {
    ...patient,
    ...practices.get(doctor),
    uses,
    intervalDays,
    lines,
    condition: random.pick(first?.conditions ?? ['复诊']),
    advice: first?.advice ?? '',
    isSubmitted: end !== 'draft',
    warningReason: isWarned ? '病情需要，已告知患者' : '',
  })
  if (end === 'draft' || end === 'waits') return code
  at(atMs + random.between(2, 18) * MINUTE_MS)
  const { contentHash } = await as(pharmacist, getPrescription, { id })
  if (end === 'rejected') {
    await as(pharmacist, rejectPrescription, { id, contentHash, reason: random.pick(rejections) })
    return code
  }
  await as(pharmacist, approvePrescription, { id, contentHash, reason: isWarned ? '已与医生电话确认' : '' })
  at(atMs + DAY_MS / 2)
  if (end === 'cancelled') await as(doctor, cancelPrescription, { id, reason: '患者改为住院治疗' })
  return code
}

/** Nobody is meant; six in ten left their number. */
function personOf(random: Random) {
  const birthYear = random.between(1938, 2004)
  const patientName = nameFrom(random)
  const sex = random.pick(['female', 'male'] as const)
  const patientFacts: 'kidney'[] = random.chance(0.15) ? ['kidney'] : []
  const person = { patientName, sex, birthYear, patientFacts }
  if (random.chance(0.4)) return person
  const two = (most: number) => String(random.between(1, most)).padStart(2, '0')
  const first = `330106${birthYear}${two(12)}${two(28)}${String(random.between(1, 999)).padStart(3, '0')}`
  return { ...person, patientIdNumber: withCheckDigit(first, (whole) => isIdNumber(whole, birthYear)) }
}
