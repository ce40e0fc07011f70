import type { PrescriptionState } from '@aisle/contract/pharmacy/states'
import { type MedicineFacts, warningsOf } from '../../features/pharmacy/warning.rules'
import { ingredientPairs, medicineFacts, rejections } from '../data/prescriptions'
import type { DraftSeed, LineSeed } from './prescriptionPlan'
import type { Practice } from './prescriptionReads'
import { randomFrom, seedOf } from '../random'

const MINUTE_MS = 60_000

type Plan = {
  state: PrescriptionState
  count: number
  /** Minutes since they were written, least and most. */
  ago: readonly [number, number]
  uses?: number
  intervalDays?: number
}

const plans: readonly Plan[] = [
  { state: 'submitted', count: 14, ago: [3, 190] },
  { state: 'approved', count: 9, ago: [60, 2_600] },
  { state: 'approved', count: 6, ago: [2_000, 20_000], uses: 6, intervalDays: 14 },
  { state: 'rejected', count: 5, ago: [90, 3_000] },
  { state: 'draft', count: 4, ago: [10, 6_000] },
  { state: 'cancelled', count: 4, ago: [3_000, 40_000] },
  { state: 'expired', count: 7, ago: [6_000, 60_000] },
]

/** What waits, holds, came back or was given up, at the merchant of the demo's doctor; and machines' own repeats. */
export function living(
  practice: Practice,
  { now, since, doctorId }: { now: Date; since: Date; doctorId: number },
): DraftSeed[] {
  const { people, medicines, machines } = practice
  const own = people.find(({ id }) => id === doctorId)
  const team = people.filter(({ merchantId }) => merchantId === own?.merchantId)
  const doctors = team.filter(({ profession }) => profession === 'doctor')
  const pharmacists = team.filter(({ profession }) => profession === 'pharmacist')
  if (!own || pharmacists.length === 0 || medicines.length === 0) return []
  const random = randomFrom(seedOf('prescriptions/living'))
  const written = plans.flatMap((plan) =>
    Array.from({ length: plan.count }, (_, at): DraftSeed => {
      const doctor = at % 2 === 0 ? own : random.pick(doctors)
      const first = random.pick(medicines)
      const second = random.chance(0.3) ? medicines.find(({ name }) => name !== first.name) : undefined
      const chosen = second ? [first, second] : [first]
      const isMore = random.chance(0.15)
      const lines = chosen.map((each) => ({ ...lineOf(each), quantity: isMore ? 4 : 1 }))
      const fact = random.chance(0.15) ? 'kidney' : null
      const { uses = 1, intervalDays = 0 } = plan
      const createdMs = now.getTime() - random.between(plan.ago[0], plan.ago[1]) * MINUTE_MS
      const warnings = warningsFor(lines, fact, uses, practice, now)
      return {
        ...shell(first.condition, first.advice),
        merchantId: own.merchantId,
        doctor,
        pharmacist: random.pick(pharmacists),
        hospitalId: doctor.hospitalId ?? doctors.find(({ hospitalId }) => hospitalId !== null)?.hospitalId ?? null,
        state: plan.state,
        lines,
        fact,
        uses,
        intervalDays,
        createdMs,
        reviewedMs: Math.min(now.getTime() - 30_000, createdMs + random.between(2, 18) * MINUTE_MS),
        reason: plan.state === 'rejected' ? random.pick(rejections) : warnings.length > 0 ? '已与医生电话确认' : '',
        warnings,
        warningReason: warnings.length > 0 ? '病情需要，已告知患者' : '',
      }
    }),
  )
  return [...written, ...machines.flatMap((machine) => ofMachine(machine, practice, since))]
}

const lineOf = ({ productId, dose, timesADay, days, usage }: Practice['medicines'][number]): LineSeed => ({
  productId,
  quantity: 1,
  dose,
  timesADay,
  days,
  usage,
  allowed: 0,
  dispensed: 0,
})

const shell = (condition: string, advice: string) => ({
  condition,
  advice,
  fact: null,
  dispensedMs: null,
  reason: '',
  warnings: [],
  warningReason: '',
  machineCode: null,
  productCode: '',
})

/** Two repeats for each medicine in a hospital's machine, for its simulated customers: one pack a day each. */
function ofMachine(machine: Practice['machines'][number], practice: Practice, since: Date): DraftSeed[] {
  const { code, regionId, productCodes } = machine
  const team = practice.people.filter(({ merchantId }) => merchantId === regionId)
  const doctors = team.filter(({ profession }) => profession === 'doctor')
  const pharmacists = team.filter(({ profession }) => profession === 'pharmacist')
  const random = randomFrom(seedOf(`prescriptions/${code}`))
  if (doctors.length === 0 || pharmacists.length === 0) return []
  return productCodes.flatMap((productCode): DraftSeed[] => {
    const medicine = practice.medicines.find((each) => each.productCode === productCode)
    if (!medicine) return []
    return [1, 2].map((n) => {
      const doctor = random.pick(doctors)
      const createdMs = since.getTime() - random.between(30, 600) * MINUTE_MS - n
      return {
        ...shell(medicine.condition, medicine.advice),
        merchantId: regionId,
        doctor,
        pharmacist: random.pick(pharmacists),
        hospitalId: doctor.hospitalId,
        state: 'approved',
        lines: [lineOf(medicine)],
        uses: 24,
        intervalDays: 1,
        createdMs,
        reviewedMs: createdMs + random.between(2, 18) * MINUTE_MS,
        machineCode: code,
        productCode,
      }
    })
  })
}

/** The product's own rules, on the facts that the demo gives it. */
function warningsFor(
  lines: readonly LineSeed[],
  fact: 'kidney' | null,
  uses: number,
  { medicines }: Practice,
  now: Date,
): DraftSeed['warnings'] {
  const facts = new Map(
    medicines.flatMap(({ productId, name }): [number, MedicineFacts][] => {
      const known = medicineFacts.find((each) => each.name === name)
      if (!known) return []
      const { ingredients, doseUnit, maxDaily = null, maxDays = null, minAge = null, notFor = [] } = known
      const unitsPerPack = PACKS[name] ?? 1
      const limits = { limitGroup: null, limitPacks: null, maxDailyUnits: maxDaily, maxDays, minAge, notFor }
      return [[productId, { productId, name, ingredients, doseUnit, unitsPerPack, ...limits }]]
    }),
  )
  const patient = { birthYear: null, facts: fact ? [fact] : [], allergies: [] }
  return warningsOf({ patient, uses, lines }, facts, ingredientPairs, now.getUTCFullYear())
}

const PACKS: Record<string, number> = {
  苯磺酸氨氯地平片: 14,
  盐酸二甲双胍缓释片: 30,
  阿托伐他汀钙片: 7,
  阿莫西林胶囊: 24,
  奥美拉唑肠溶胶囊: 14,
}
