import { type RouterEvents, useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'

/** How far down a page and the table on it were read, by the page's place in the history of this tab of the browser. */
type Depth = { page: number; table: number }
const depths = new Map<string, Depth>()

const keyOf = ({ state, href }: RouterEvents['onRendered']['toLocation']): string => state.__TSR_key ?? href

/**
 * Another page begins at its top, and going back finds the place where one was. How far it is scrolled is heard, not
 * asked: asking makes the browser lay out a page that still changes, and then once more.
 */
export function usePageScroll(scrolled: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(() => {
    const element = scrolled.current
    if (!element) return
    const tableOf = () => element.querySelector('.list-main [data-part~=table-holder]')
    const depth: Depth = { page: element.scrollTop, table: 0 }
    const onScroll = ({ target }: Event) => {
      if (target === element) depth.page = element.scrollTop
      else if (target instanceof Element && target === tableOf()) depth.table = target.scrollTop
    }
    element.addEventListener('scroll', onScroll, { passive: true, capture: true })
    const stops = [
      router.subscribe('onBeforeLoad', ({ fromLocation }) => {
        if (fromLocation) depths.set(keyOf(fromLocation), { ...depth })
      }),
      router.subscribe('onRendered', ({ toLocation, pathChanged }) => {
        const known = depths.get(keyOf(toLocation))
        const wanted = known ?? (pathChanged ? { page: 0, table: 0 } : depth)
        if (wanted.page !== depth.page) element.scrollTop = wanted.page
        if (wanted.table !== depth.table) tableOf()?.scrollTo({ top: wanted.table })
        depth.table = wanted.table
      }),
    ]
    return () => {
      element.removeEventListener('scroll', onScroll, { capture: true })
      for (const stop of stops) stop()
    }
  }, [router, scrolled])
}
