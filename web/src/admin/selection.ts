import { useState } from 'react'
import type { RowChoice } from '../ui/table'
import { useText } from '../ui/text'
import type { Row, RowId } from './useList'

export type Selection<R extends Row = Row> = RowChoice<R> & {
  chosen: readonly R[]
  nameOf: (row: R) => string
  add: (rows: readonly R[]) => void
  clear: () => void
}

/**
 * Rows stay chosen from page to page; a row that is read again is chosen as it is now.
 * @param by the column that names a row
 */
export function useSelection<R extends Row>(rows: readonly R[], by: keyof R & string): Selection<R> {
  const kit = useText('admin')
  const [kept, setKept] = useState<ReadonlyMap<RowId, R>>(new Map())
  const inSight = new Map(rows.map((row) => [row.id, row]))
  const chosen = [...kept.values()].map((row) => inSight.get(row.id) ?? row)
  const count = rows.filter(({ id }) => kept.has(id)).length
  const change = (changed: readonly R[], isOn: boolean) => {
    const next = new Map(kept)
    for (const row of changed) {
      if (isOn) next.set(row.id, row)
      else next.delete(row.id)
    }
    setKept(next)
  }
  const nameOf = (row: R) => String(row[by])
  return {
    chosen,
    nameOf,
    add: (more) => change(more, true),
    clear: () => setKept(new Map()),
    isChosen: ({ id }) => kept.has(id),
    choose: (row, isOn) => change([row], isOn),
    whole: count === 0 ? 'none' : count === rows.length ? 'all' : 'some',
    chooseAll: (isOn) => change(rows, isOn),
    words: { all: kit('batch.all'), row: (row) => kit('batch.row', { name: nameOf(row) }) },
  }
}
