import type { KeyReason } from '@aisle/contract/medicine/care'
import type { StorageClass } from '@aisle/contract/medicine/medicine'
import { addMonths, type Life, nearFrom } from './expiry.rules'

export type Cycle = { months: number; keyMonths: number; nearMonths: number }

/** A batch where it lies, as far as its care follows from it. */
export type Kept = Life & { storage: StorageClass; isLimited: boolean }

/**
 * Why a batch is looked at more often: it is kept cold, a person may have only so much of it, it is near its expiry, or
 * nobody looked at it when it was due (GSP, care of key medicines).
 */
export function keyReasonsOf(kept: Kept, day: string, { nearMonths }: Cycle, isAfterMissed: boolean): KeyReason[] {
  const reasons: [KeyReason, boolean][] = [
    ['cold', kept.storage === 'cold'],
    ['limited', kept.isLimited],
    ['nearExpiry', day >= nearFrom(kept, nearMonths)],
    ['missed', isAfterMissed],
  ]
  return reasons.filter(([, holds]) => holds).map(([reason]) => reason)
}

/** Never in the past: what was not done in time is missed, and what is next is still to be done. */
export function dueOn(since: string, isKey: boolean, today: string, { months, keyMonths }: Cycle): string {
  const due = addMonths(since, isKey ? Math.min(months, keyMonths) : months)
  return due < today ? today : due
}

type Last = { state: 'open' | 'done' | 'missed' | 'gone'; since: string; dueOn: string; endedOn: string }
type Open = { id: number; kind: 'normal' | 'key'; since: string; dueOn: string }
type Stand = Kept &
  Cycle & {
    batchId: number
    machineId: number | null
    placeId: number | null
    today: string
    /** When the batch first came there; null where no move says so. */
    cameOn: string | null
    last: Last | null
    open: Open | null
  }

type Planned = {
  batchId: number
  machineId: number | null
  placeId: number | null
  kind: 'normal' | 'key'
  reasons: string
  since: string
  dueOn: string
}
type Brought = { id: number; reasons: string; dueOn: string }

/**
 * What a day's planning makes of a batch where it lies: its next task where none is open, or an open one brought
 * forward, because the batch has become a key medicine since. What was missed is made up for within the shorter cycle.
 */
export function planOf(stand: Stand): { task?: Planned; change?: Brought } {
  const { today, last, open, batchId, machineId, placeId } = stand
  const isMissed = last?.state === 'missed'
  const reasons = keyReasonsOf(stand, today, stand, isMissed)
  const isKey = reasons.length > 0
  if (open) {
    const isTurned = isKey && open.kind === 'normal'
    const change = { id: open.id, reasons: reasons.join(), dueOn: dueOn(open.since, true, today, stand) }
    return isTurned ? { change } : {}
  }
  const came = stand.cameOn !== null && stand.cameOn < today ? stand.cameOn : today
  const since = (isMissed ? last.since : last?.endedOn) ?? came
  const due = dueOn(isMissed ? last.dueOn : since, isKey, today, stand)
  const kind: 'key' | 'normal' = isKey ? 'key' : 'normal'
  return { task: { batchId, machineId, placeId, kind, reasons: reasons.join(), since, dueOn: due } }
}
