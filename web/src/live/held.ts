import type { CallOf, Endpoint } from '@aisle/contract/kernel/endpoint'
import { type FocusEvent, useRef, useState } from 'react'
import type { z } from 'zod'
import { call } from './call'
import { refetch } from './query'

type Row = { id: number | string }
type Listed = Endpoint & { output: z.ZodType<{ items: Row[] }> }
type Peeked = { key: string; items: readonly Row[] }

/**
 * A list holds still while a person is at work on it, that is while a pointer is over it or the keyboard's focus in it:
 * what moves under a hand is opened or ticked by mistake. What is new is looked up meanwhile and counted; the person
 * takes it in, or it comes as soon as they leave.
 * @param rows as they are shown
 */
export function useHeld<E extends Listed>(list: E, query: CallOf<E>, rows: readonly Row[]) {
  const at = useRef({ pointer: false, keyboard: false })
  const isWaiting = useRef(false)
  const [peeked, setPeeked] = useState<Peeked | null>(null)
  const key = JSON.stringify(query)
  const take = () => {
    if (!isWaiting.current) return
    isWaiting.current = false
    setPeeked(null)
    void refetch(list)
  }
  const leave = (what: 'pointer' | 'keyboard') => {
    at.current[what] = false
    if (!at.current.pointer && !at.current.keyboard) take()
  }
  return {
    isHeld: () => at.current.pointer || at.current.keyboard,
    /** Looks what waits, without showing it. */
    peek: async () => {
      isWaiting.current = true
      const answer = await call(list, query, { errors: 'silent' }).catch(() => null)
      if (answer && isWaiting.current) setPeeked({ key, items: answer.items })
    },
    news: peeked?.key === key ? newsIn(rows, peeked.items) : null,
    take,
    /** For the element that the list stands in. */
    area: {
      onPointerEnter: () => (at.current.pointer = true),
      onPointerLeave: () => leave('pointer'),
      onFocus: ({ target }: FocusEvent) => (at.current.keyboard = target.matches(':focus-visible')),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) leave('keyboard')
      },
    },
  }
}

export type Held = ReturnType<typeof useHeld>

/** @returns how many rows are not shown yet, 0 where only what is shown has changed, null where nothing has */
function newsIn(shown: readonly Row[], newest: readonly Row[]): { count: number; isMore: boolean } | null {
  const ids = new Set(shown.map(({ id }) => id))
  const count = newest.filter(({ id }) => !ids.has(id)).length
  if (count === 0 && JSON.stringify(shown) === JSON.stringify(newest)) return null
  // Where all of a page is new there may be others behind it.
  return { count, isMore: count > 0 && count === newest.length }
}
