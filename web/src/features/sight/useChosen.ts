import { type GrantableMachine, MOST_NAMED } from '@aisle/contract/sight/authorisation'
import { useState } from 'react'
import type { RowChoice } from '../../ui/table'
import { useText } from '../../ui/text'

/** Some by name, kept from page to page, or all that the filter finds. */
type Kept = { of: string; ids: ReadonlySet<number>; isAll: boolean }

/** @param filter what the list is filtered by; another one starts with nothing chosen */
export function useChosen(rows: readonly GrantableMachine[], filter: string) {
  const kit = useText('admin')
  const none: Kept = { of: filter, ids: new Set(), isAll: false }
  const [last, setKept] = useState(none)
  const kept = last.of === filter ? last : none
  const open = rows.filter(({ mayChange }) => mayChange)
  const change = (changed: readonly GrantableMachine[], isOn: boolean) => {
    const ids = new Set(kept.isAll ? open.map(({ id }) => id) : kept.ids)
    for (const { id, mayChange } of changed) {
      if (!isOn) ids.delete(id)
      else if (mayChange && ids.size < MOST_NAMED) ids.add(id)
    }
    setKept({ of: filter, ids, isAll: false })
  }
  const isChosen = ({ id, mayChange }: GrantableMachine) => mayChange && (kept.isAll || kept.ids.has(id))
  const count = rows.filter(isChosen).length
  const choice: RowChoice<GrantableMachine> = {
    isChosen,
    choose: (row, isOn) => change([row], isOn),
    whole: count === 0 ? 'none' : count === open.length ? 'all' : 'some',
    chooseAll: (isOn) => change(open, isOn),
    words: { all: kit('batch.all'), row: ({ code }) => kit('batch.row', { key: code }) },
  }
  return {
    rows: choice,
    isAll: kept.isAll,
    ids: [...kept.ids],
    isPageWhole: open.length > 0 && count === open.length,
    takeAll: () => setKept({ of: filter, ids: new Set(), isAll: true }),
    clear: () => setKept(none),
  }
}

export type Chosen = ReturnType<typeof useChosen>
