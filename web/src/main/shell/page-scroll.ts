import { type RouterEvents, useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'

/** How far down a page was read, by its place in the history of this tab of the browser. */
const depths = new Map<string, number>()

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
    let depth = element.scrollTop
    const onScroll = () => {
      depth = element.scrollTop
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    const stops = [
      router.subscribe('onBeforeLoad', ({ fromLocation }) => {
        if (fromLocation) depths.set(keyOf(fromLocation), depth)
      }),
      router.subscribe('onRendered', ({ toLocation, pathChanged }) => {
        const known = depths.get(keyOf(toLocation))
        const wanted = known ?? (pathChanged ? 0 : depth)
        if (wanted !== depth) element.scrollTop = wanted
      }),
    ]
    return () => {
      element.removeEventListener('scroll', onScroll)
      for (const stop of stops) stop()
    }
  }, [router, scrolled])
}
