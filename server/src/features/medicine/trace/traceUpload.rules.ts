import { z } from 'zod'

/** After each try that brought no answer: a minute first, half a day last. It never ends: the law wants it told. */
const waits = [1, 2, 5, 15, 60, 180, 360, 720]
const MINUTE_MS = 60_000

export const nextTryAt = (tries: number, now: Date): Date =>
  new Date(now.getTime() + (waits[Math.min(tries, waits.length) - 1] ?? 1) * MINUTE_MS)

export type Outcome = { id: number; outcome: 'accepted' | 'refused' | 'pending'; reason: string }

const answer = z.object({
  items: z.array(
    z.object({
      id: z.int(),
      outcome: z.enum(['accepted', 'refused', 'pending']),
      reason: z.string().default(''),
    }),
  ),
})

/** @returns null for what is no answer; of items that nobody asked for nothing is taken */
export function readAnswer(text: string, asked: ReadonlySet<number>): Outcome[] | null {
  try {
    const read = answer.safeParse(JSON.parse(text))
    if (!read.success) return null
    return read.data.items
      .filter(({ id }) => asked.has(id))
      .map(({ reason, ...item }) => ({ ...item, reason: reason.replaceAll('\0', '').slice(0, 300) }))
  } catch {
    return null
  }
}
