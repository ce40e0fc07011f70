import type { Cluster } from './database'
import type { Orders } from './orders'
import type { Measured } from './rounds'

export type Bench = {
  cluster: Cluster
  rounds: number
  /** How many orders the lists are read from. */
  rows: number
  /** How long figures run that look for what grows with time. */
  minutes: number
  /** The database with that many, filled when a figure first asks for it. */
  orders: () => Promise<Orders>
  /** Progress, apart from the results. */
  say: (text: string) => void
}

export type Goal = { atLeast: number } | { atMost: number }

export type Line = {
  id: string
  what: string
  ours: string
  anchor: string
  /** What is compared with the goal; null where this machine can't measure it. */
  value: number | null
  unit: string
  goal: Goal | null
  note?: string
}

export type Figure = (bench: Bench) => Promise<Line[]>

/** A line for two sides that were measured in rotation, each as so many `unit`. */
export function compared(
  described: { id: string; what: string; beside: string; unit: string; goal: Goal | null; note?: string },
  measured: Measured,
): Line {
  const { beside, unit, ...rest } = described
  const spread = `${digits(measured.lowest)}–${digits(measured.highest)}`
  return {
    ...rest,
    ours: `${digits(measured.ours)} ${unit}`,
    anchor: `${beside} ${digits(measured.anchor)} ${unit}`,
    value: measured.ratio,
    unit: `× (${spread})`,
  }
}

export function notMeasured(id: string, what: string, why: string): Line {
  return { id, what, ours: 'not measured', anchor: why, value: null, unit: '', goal: null }
}

export function digits(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}

export function isMet(value: number, goal: Goal): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

export function lineText({ id, what, ours, anchor, value, unit, goal, note }: Line): string {
  const parts = [id.padEnd(4), what, `ours ${ours}`, anchor]
  if (value !== null) parts.push(`${digits(value)} ${unit}`.trim())
  if (value !== null && goal) {
    const wanted = 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`
    parts.push(`goal ${wanted}`, isMet(value, goal) ? 'met' : 'NOT MET')
  }
  if (note) parts.push(note)
  return parts.filter(Boolean).join(' | ')
}
