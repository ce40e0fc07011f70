import type { CommandState } from '@aisle/contract/device/commands'
import { z } from 'zod'

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
  priceFen: number | null
  capacity: number
  choice: string
  isLocked: boolean
  alarmThreshold: number
}

/** What a person found in slots, by their codes, and when. */
export type Counts = { pieces: ReadonlyMap<string, number>; at: Date }
const noCounts: Counts = { pieces: new Map(), at: new Date(0) }

/** Where a slot was counted, the machine takes its own figure from it. */
function countOf(code: string, { pieces, at }: Counts) {
  const counted = pieces.get(code)
  return counted === undefined ? {} : { counted: { pieces: counted, at: at.toISOString() } }
}

/** As docs/DEVICES.md says it of `push_planogram`. */
export const planogramData = (slots: readonly PushedSlot[], version: number, counts = noCounts) => ({
  slots: slots.map(({ code, productCode, priceFen, capacity, choice, isLocked, alarmThreshold }) => ({
    ...countOf(code, counts),
    code,
    product: productCode,
    priceFen,
    capacity,
    choice,
    locked: isLocked,
    alarmThreshold,
  })),
  version,
})

/** As docs/DEVICES.md says it of `push_prices`. */
export const priceData = (slots: readonly Pick<PushedSlot, 'code' | 'priceFen'>[]) => ({
  prices: slots.map(({ code, priceFen }) => ({ slot: code, priceFen })),
})
