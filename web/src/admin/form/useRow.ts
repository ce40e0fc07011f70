import { useState } from 'react'
import type { CallFailure } from '../../live/failure'
import { newerIn, overNewer } from './stale'

/** The values of a form that is written by hand: over the row as read, and over a newer one once that is told. */
export function useRow<V extends Record<string, unknown>, N extends number | null>(row: V, version: N) {
  const [read, setRead] = useState({ row, version: version as N | number })
  const [values, setValues] = useState(row)
  const isDirty = JSON.stringify(values) !== JSON.stringify(read.row)
  return {
    values,
    version: read.version,
    isDirty,
    /** Somebody else's newer row, for a form that nobody is filling in. */
    take: (newer: V, newest: N) => {
      setValues(newer)
      setRead({ row: newer, version: newest })
    },
    change: (part: Partial<V>) => setValues((before) => ({ ...before, ...part })),
    /** A save has answered: what stands there is the row now. */
    saved: (newest: number) => setRead({ row: values, version: newest }),
    /** A save was refused: what the person left alone becomes what it is now, what they changed stays. */
    goOnFrom: (failure: CallFailure) => {
      const newer = newerIn(failure.fields)
      if (newer.version === null) return
      setValues(overNewer(values, read.row, newer.now).values)
      setRead({ row: { ...read.row, ...newer.now }, version: newer.version })
    },
  }
}
