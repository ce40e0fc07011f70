import { createHmac } from 'node:crypto'

export type TraceItem = { id: number; kind: string; code: string; batch: string | null }
export type TraceAnswer = { id: number; outcome: 'accepted' | 'refused' | 'pending'; reason?: string }

export type TraceHow = {
  /** So many times an item hears that its answer comes later. */
  delays: (item: TraceItem) => number
  /** With which reason it is not taken; null for what is. */
  refuses: (item: TraceItem) => string | null
  /** What else is said beside what was asked. */
  repeats: TraceAnswer[]
}

export type TracePlatform = {
  how: TraceHow
  /** @returns null for whom it does not know */
  hear: (headers: Readonly<Record<string, unknown>>, body: string) => string | null
}

/**
 * The regulator's platform as it stands in for tests and for the demo: it checks signatures, takes its time, refuses
 * what it does not like with a reason, and says again what it said. It knows items by their ids and takes each once.
 */
export function openTraces(
  secretOf: (enterprise: string) => string | undefined,
  given: Partial<TraceHow> = {},
): TracePlatform {
  const how: TraceHow = { delays: () => 0, refuses: () => null, repeats: [], ...given }
  const taken = new Set<number>()
  const heard = new Map<number, number>()
  const answerTo = (item: TraceItem): TraceAnswer => {
    const times = (heard.get(item.id) ?? 0) + 1
    heard.set(item.id, times)
    if (taken.has(item.id)) return { id: item.id, outcome: 'accepted' }
    if (times <= how.delays(item)) return { id: item.id, outcome: 'pending' }
    const reason = how.refuses(item)
    if (reason !== null) return { id: item.id, outcome: 'refused', reason }
    taken.add(item.id)
    return { id: item.id, outcome: 'accepted' }
  }
  return {
    how,
    hear: (headers, body) => {
      const { enterprise, items } = JSON.parse(body) as { enterprise: string; items: TraceItem[] }
      const signed = `${String(headers['x-aisle-timestamp'])}\n${body}`
      const signature = createHmac('sha256', secretOf(enterprise) ?? '')
        .update(signed)
        .digest('hex')
      if (secretOf(enterprise) === undefined || signature !== headers['x-aisle-signature']) return null
      return JSON.stringify({ items: [...items.map(answerTo), ...how.repeats] })
    },
  }
}
