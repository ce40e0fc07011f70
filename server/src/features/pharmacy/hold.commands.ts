import type { MedicineClass } from '@aisle/contract/catalog/product'
import type { MessageRefusal } from '@aisle/contract/device/messages'
import { sql } from 'kysely'
import { businessTime } from '../../kernel/businessDay'
import type { Reader, Tx } from '../../kernel/context'
import { limitedInRetail } from '@aisle/contract/system/settings'
import { settingOf } from '../../kernel/settings'
import { limitedOf, limitedRefusal, stoppedAsks } from '../medicine/public'
import { codeAsTyped } from './code.rules'
import { decideFill, type FillDecision } from './fill.rules'
import { insertFills, type Loaded, lockPrescriptions, type NewFill, saveCounts, tieKey, tiesOf } from './fill.store'
import { isWithinLimit } from './limit.rules'
import {
  type Allowance,
  groupsOf,
  insertTakes,
  lockAllowances,
  type NewTake,
  type PersonGroup,
  personKey,
} from './limit.store'

/** What an order asks for, as far as medicines are concerned. */
export type MedicineAsk = {
  orderId: number
  machine: { id: number; merchantId: number; timeZone: string; licenceMode: 'none' | 'retail' | 'hospital' }
  prescription: string | null
  /** Whose document the machine has checked: the hash of its number, and how old they are. */
  person: { hash: Buffer; age: number } | null
  items: readonly { placeId: number; productId: number; medicineClass: MedicineClass | null; priceFen: number }[]
  at: Date
  receivedAt: Date
  businessDay: string
}

type Refusals = Map<number, MessageRefusal>

/**
 * What holds for medicine with and without a prescription: no batch that is expired, recalled or locked, and of a
 * limited group nothing where it isn't sold or to somebody whom nobody knows.
 */
export async function checkMedicines<A extends Omit<MedicineAsk, 'orderId'>>(
  db: Reader,
  asks: readonly A[],
): Promise<Map<A, MessageRefusal>> {
  const items = asks.flatMap((ask) => ask.items).filter(({ medicineClass }) => medicineClass !== null)
  const medicines = asks.map((ask) => ({
    ask,
    machine: ask.machine,
    // By our own clock: a machine that is some minutes behind still has the day before.
    businessDay: businessTime(ask.receivedAt, ask.machine.timeZone).day,
    items: ask.items.filter(({ medicineClass }) => medicineClass !== null),
  }))
  const stopped = new Set([...(await stoppedAsks(db, medicines))].map(({ ask }) => ask))
  const limited = await limitedOf(
    db,
    items.map(({ productId }) => productId),
  )
  const isSoldInRetail = limited.size > 0 && (await settingOf(db, limitedInRetail, null))
  const refused = new Map<A, MessageRefusal>()
  for (const ask of asks) {
    const { items: own, prescription, person, machine } = ask
    const pieces = own.flatMap(({ productId }) => limited.get(productId) ?? [])
    const asked = { mode: machine.licenceMode, isSoldInRetail, hasPrescription: prescription !== null, person, pieces }
    const why = stopped.has(ask) ? 'batchNotForSale' : limitedRefusal(asked)
    if (why) refused.set(ask, why)
  }
  return refused
}

/**
 * Holds what orders take off prescriptions and off what a checked person may have, each in turn, with both locked: of
 * two that want the last pack the second is refused. @returns why some are refused, by order
 */
export async function holdMedicines(tx: Tx, asks: readonly MedicineAsk[]): Promise<Refusals> {
  const codes = [...new Set(asks.flatMap(codeOf))]
  const loaded = await lockPrescriptions(tx, sql`p.code = any(${codes}::text[])`)
  const byCode = new Map(loaded.map((each) => [each.code, each]))
  const ties = await tiesOf(tx, tiesAsked(asks, byCode))
  const groups = await groupsOf(
    tx,
    asks.flatMap(({ items }) => items.map(({ productId }) => productId)),
  )
  const limits = await lockAllowances(tx, personGroups(asks, byCode, groups))
  const refused: Refusals = new Map()
  const fills: NewFill[] = []
  const takes: NewTake[] = []
  const touched = new Set<Loaded>()
  for (const ask of asks) {
    const known = byCode.get(codeOf(ask)[0] ?? '')
    const prescription = known && ties.has(tieKey(ask.machine.id, known.id)) ? known : undefined
    const isByPerson = ask.prescription === null
    const decision = decideFill(prescription, ask.items.map(wantedOf), ask.receivedAt)
    if (!isByPerson && decision.refused !== null) {
      refused.set(ask.orderId, decision.refused)
      continue
    }
    const taken = takesOf(ask, prescription, groups)
    if (!taken || !taken.every((take) => isAllowed(take, limits.get(personKey(take))))) {
      refused.set(ask.orderId, 'limitReached')
      continue
    }
    for (const take of taken) limits.get(personKey(take))?.takes.push(take)
    takes.push(...taken)
    if (decision.refused !== null || !prescription) continue
    takeOff(prescription, decision, ask)
    touched.add(prescription)
    fills.push(fillOf(ask, prescription, decision))
  }
  await saveCounts(tx, [...touched])
  await insertFills(tx, fills)
  await insertTakes(tx, takes)
  return refused
}

const codeOf = ({ prescription }: MedicineAsk): string[] => (prescription === null ? [] : [codeAsTyped(prescription)])

const wantedOf = ({ productId, medicineClass }: MedicineAsk['items'][number]) => ({
  productId,
  isRx: medicineClass === 'rx',
})

const tiesAsked = (asks: readonly MedicineAsk[], byCode: ReadonlyMap<string, Loaded>) =>
  asks.flatMap((ask) => {
    const known = byCode.get(codeOf(ask)[0] ?? '')
    return known ? [{ machineId: ask.machine.id, prescriptionId: known.id }] : []
  })

const personGroups = (
  asks: readonly MedicineAsk[],
  byCode: ReadonlyMap<string, Loaded>,
  groups: ReadonlyMap<number, string>,
): PersonGroup[] => asks.flatMap((ask) => takesOf(ask, byCode.get(codeOf(ask)[0] ?? ''), groups) ?? [])

/** What the order counts towards limits; null where it would and nobody knows the person. */
function takesOf(
  ask: MedicineAsk,
  prescription: Loaded | undefined,
  groups: ReadonlyMap<number, string>,
): NewTake[] | null {
  const personHash = (ask.prescription === null ? ask.person?.hash : prescription?.personHash) ?? null
  const packs = new Map<string, number>()
  for (const { productId } of ask.items) {
    const group = groups.get(productId)
    if (group) packs.set(group, (packs.get(group) ?? 0) + 1)
  }
  if (packs.size > 0 && personHash === null) return null
  const { orderId, machine, receivedAt: at } = ask
  return [...packs].map(([limitGroup, count]) => ({
    orderId,
    limitGroup,
    merchantId: machine.merchantId,
    personHash: personHash ?? Buffer.alloc(0),
    packs: count,
    at,
  }))
}

const isAllowed = (take: NewTake, limit: Allowance | undefined): boolean =>
  limit === undefined || isWithinLimit(limit, limit.takes, take.packs, take.at)

type Held = Extract<FillDecision, { refused: null }>

/** In memory too, so that the next order of the same batch sees what this one holds. */
function takeOff(prescription: Loaded, { opens, isBound }: Held, { items }: MedicineAsk): void {
  if (opens) {
    prescription.usesOpened += 1
    for (const line of prescription.lines) line.allowed += line.quantity
  }
  items.forEach(({ productId }, at) => {
    const line = prescription.lines.find((each) => each.productId === productId)
    if (line && isBound[at]) line.held += 1
  })
}

const fillOf = (ask: MedicineAsk, prescription: Loaded, { isBound }: Held): NewFill => ({
  orderId: ask.orderId,
  prescriptionId: prescription.id,
  // Whose doctor wrote it: figures are seen by who sees the prescriptions that they are of.
  merchantId: prescription.merchantId,
  machineId: ask.machine.id,
  occurredAt: ask.at,
  businessDay: ask.businessDay,
  doctorId: prescription.doctorId,
  hospitalId: prescription.hospitalId,
  items: ask.items.flatMap(({ productId, priceFen }, index) =>
    isBound[index] ? [{ index, productId, priceFen }] : [],
  ),
})
