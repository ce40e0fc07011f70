import { z } from 'zod'
import { zInstant } from './endpoint'

/** What an entry of the audit log tells of a thing, as its own page shows it. */
export const historyEvent = z.object({
  at: zInstant,
  /** The endpoint's name. */
  action: z.string(),
  byName: z.string(),
  /** Fields with what they were and became; never a secret. */
  changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
})
export type HistoryEvent = z.output<typeof historyEvent>
export type Change = HistoryEvent['changes'][number]
export type Facts = Readonly<Record<string, unknown>> | null

/** What differs between two states of a thing, in the order of the newer one; what stayed the same is left out. */
export function changesOf(before: Facts, after: Facts): Change[] {
  const names = new Set([...Object.keys(after ?? {}), ...Object.keys(before ?? {})])
  return [...names]
    .map((field) => ({ field, before: factText(before?.[field]), after: factText(after?.[field]) }))
    .filter((change) => change.before !== change.after)
}

/** A fact as a text; null where there is none. */
export function factText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
