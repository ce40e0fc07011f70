import { type Warning, warningKinds } from '@aisle/contract/pharmacy/medicine'

export type MedicineFacts = {
  productId: number
  name: string
  ingredients: readonly string[]
  limitGroup: string | null
  /** Packs of the group that one person may have; null where nothing limits it. */
  limitPacks: number | null
  doseUnit: string
  unitsPerPack: number
  maxDailyUnits: number | null
  maxDays: number | null
  minAge: number | null
  notFor: readonly string[]
}
export type WarnedLine = { productId: number; quantity: number; dose: number; timesADay: number; days: number }
export type Patient = { birthYear: number | null; facts: readonly string[]; allergies: readonly string[] }
export type Written = { patient: Patient; uses: number; lines: readonly WarnedLine[] }

/** Of one prescription without repeats, as a rule (Prescription Administration, article 19). */
export const USUAL_DAYS = 7

type Line = WarnedLine & { medicine: MedicineFacts }

/** What speaks against it, by what is known of patient and medicines; worst first. */
export function warningsOf(
  { patient, uses, lines }: Written,
  medicines: ReadonlyMap<number, MedicineFacts>,
  pairs: readonly (readonly [string, string])[],
  year: number,
): Warning[] {
  const known = lines.flatMap((line): Line[] => {
    const medicine = medicines.get(line.productId)
    return medicine ? [{ ...line, medicine }] : []
  })
  const found = [
    ...known.flatMap(({ medicine }) => ofPatient(medicine, patient, year)),
    ...together(known, pairs),
    ...known.flatMap((line) => ofQuantity(line, uses)),
    ...overLimit(known),
  ]
  return found.sort((a, b) => warningKinds.indexOf(a.kind) - warningKinds.indexOf(b.kind))
}

function ofPatient(medicine: MedicineFacts, patient: Patient, year: number): Warning[] {
  const { name, productId } = medicine
  const found: Warning[] = []
  for (const substance of medicine.ingredients.filter((each) => patient.allergies.includes(each))) {
    found.push({ kind: 'allergy', productIds: [productId], facts: { name, substance } })
  }
  for (const fact of medicine.notFor.filter((each) => patient.facts.includes(each))) {
    found.push({ kind: 'notFor', productIds: [productId], facts: { name, fact } })
  }
  const age = patient.birthYear === null ? null : year - patient.birthYear
  if (medicine.minAge !== null && age !== null && age < medicine.minAge) {
    found.push({
      kind: 'tooYoung',
      productIds: [productId],
      facts: { name, age: String(age), min: `${medicine.minAge}` },
    })
  }
  return found
}

function together(lines: readonly Line[], pairs: readonly (readonly [string, string])[]): Warning[] {
  const found: Warning[] = []
  lines.forEach(({ medicine: one }, at) => {
    for (const { medicine: other } of lines.slice(at + 1)) {
      const productIds = [one.productId, other.productId]
      const names = { name: one.name, other: other.name }
      const same = one.ingredients.find((each) => other.ingredients.includes(each))
      if (same) found.push({ kind: 'ingredientTwice', productIds, facts: { ...names, substance: same } })
      const pair = pairs.find(([a, b]) => has(one, other, a, b) || has(one, other, b, a))
      if (pair) found.push({ kind: 'pair', productIds, facts: { ...names, substances: pair.join(' + ') } })
    }
  })
  return found
}

const has = (one: MedicineFacts, other: MedicineFacts, a: string, b: string) =>
  one.ingredients.includes(a) && other.ingredients.includes(b)

function ofQuantity({ medicine, quantity, dose, timesADay, days }: Line, uses: number): Warning[] {
  const { productId, name, doseUnit: unit, maxDailyUnits, unitsPerPack } = medicine
  const productIds = [productId]
  const found: Warning[] = []
  const daily = rounded(dose * timesADay)
  if (maxDailyUnits !== null && daily > maxDailyUnits) {
    found.push({ kind: 'overDaily', productIds, facts: { name, unit, daily: `${daily}`, max: `${maxDailyUnits}` } })
  }
  const most = medicine.maxDays ?? (uses === 1 ? USUAL_DAYS : null)
  if (most !== null && days > most) {
    found.push({ kind: 'overDays', productIds, facts: { name, days: `${days}`, max: `${most}` } })
  }
  const needed = Math.ceil(rounded(daily * days) / unitsPerPack)
  if (quantity > needed) {
    found.push({ kind: 'overQuantity', productIds, facts: { name, packs: `${quantity}`, needed: `${needed}` } })
  }
  return found
}

/** Doses have two decimals; a product of floats has more. */
const rounded = (n: number) => Math.round(n * 100) / 100

function overLimit(lines: readonly Line[]): Warning[] {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const { limitGroup } = line.medicine
    if (limitGroup !== null) groups.set(limitGroup, [...(groups.get(limitGroup) ?? []), line])
  }
  return [...groups.values()].flatMap((own): Warning[] => {
    const packs = own.reduce((sum, { quantity }) => sum + quantity, 0)
    const max = own[0]?.medicine.limitPacks ?? null
    if (max === null || packs <= max) return []
    const name = own.map(({ medicine }) => medicine.name).join(', ')
    const productIds = own.map(({ productId }) => productId)
    return [{ kind: 'overLimit', productIds, facts: { name, packs: `${packs}`, max: `${max}` } }]
  })
}
