import type { CommandState } from '@aisle/contract/device/commands'
import { z } from 'zod'
import type { OfferedSet } from '../medicine/public'

const onTheWay: readonly CommandState[] = ['queued', 'sent', 'received']

/** A push counts until the machine's own picture is newer than it: what was done is believed once it is seen. */
export function isOnItsWay(push: { state: CommandState; finishedAt: Date | null }, snapshotAt: Date | null): boolean {
  if (onTheWay.includes(push.state)) return true
  if (push.state !== 'done' || !push.finishedAt) return false
  return snapshotAt === null || snapshotAt < push.finishedAt
}

const named = z.union([
  z.object({ slots: z.array(z.object({ code: z.string() })) }).transform(({ slots }) => slots.map(({ code }) => code)),
  z.object({ slots: z.array(z.string()) }).transform(({ slots }) => slots),
  z
    .object({ prices: z.array(z.object({ slot: z.string() })) })
    .transform(({ prices }) => prices.map(({ slot }) => slot)),
])

/** The slots that a push speaks of, by their codes; null for one that nobody can read, which may be about any. */
export function slotsOfPush(push: { data: unknown }): ReadonlySet<string> | null {
  const read = named.safeParse(push.data)
  return read.success ? new Set(read.data) : null
}

export type PushedSlot = {
  code: string
  productCode: string | null
  medicineClass: string | null
  priceFen: number | null
  struckFen: number | null
  memberFen: number | null
  capacity: number
  choice: string
  isLocked: boolean
  /** A piece in it is recalled: the machine holds it, whatever was chosen here. */
  isRecalled: boolean
  isOffline: boolean
  alarmThreshold: number
}

/** What a person found in slots, by their codes, and when. */
export type Counts = ReadonlyMap<string, { pieces: number; at: Date }>
const noCounts: Counts = new Map()

/** Where a slot was counted, the machine takes its own figure from it. */
function countOf(code: string, counts: Counts) {
  const counted = counts.get(code)
  return counted === undefined ? {} : { counted: { pieces: counted.pieces, at: counted.at.toISOString() } }
}

export type Priced = Pick<PushedSlot, 'code' | 'priceFen' | 'struckFen' | 'memberFen'>

/** What is struck through, and what holders of cards pay, is left out where nothing is, which takes away what was. */
const pricedAt = ({ priceFen, struckFen, memberFen }: Priced) => ({
  priceFen,
  ...(struckFen === null ? {} : { struckFen }),
  ...(memberFen === null ? {} : { memberFen }),
})

/** As docs/DEVICES.md says it of `push_planogram`. */
export const planogramData = (
  slots: readonly PushedSlot[],
  { version, sets, counts = noCounts }: { version: number; sets: readonly OfferedSet[]; counts?: Counts },
) => ({
  slots: slots.map((slot) => ({
    ...countOf(slot.code, counts),
    ...pricedAt(slot),
    code: slot.code,
    product: slot.productCode,
    ...(slot.medicineClass === null ? {} : { medicine: true }),
    capacity: slot.capacity,
    // What is sold nowhere is stopped there, too, whatever was chosen for the slot.
    choice: slot.isOffline ? 'stopped_sale' : slot.choice,
    locked: slot.isLocked || slot.isRecalled,
    alarmThreshold: slot.alarmThreshold,
  })),
  version,
  sets,
})

/** As docs/DEVICES.md says it of `push_prices`. @param sets left out: those that it offers stay */
export const priceData = (slots: readonly Priced[], sets?: readonly OfferedSet[]) => ({
  ...(sets ? { sets } : {}),
  prices: slots.map((slot) => ({ slot: slot.code, ...pricedAt(slot) })),
})
