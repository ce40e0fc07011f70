import { useEffect, useRef } from 'react'

const query = matchMedia('(prefers-reduced-motion: reduce)')

/** Asked at each use, since a person may change it while a board runs for months. */
export const prefersStillness = (): boolean => query.matches

/**
 * Runs the animation on the element each time that the key changes. The element stays: a new one for each sale, with
 * its own endless animations, would not be given back by the browser, and a board runs for months.
 */
export function useFlash<E extends Element>(key: string, frames: Keyframe[], durationMs: number) {
  const element = useRef<E>(null)
  useEffect(() => {
    if (key === '' || prefersStillness()) return
    const flash = element.current?.animate(frames, { duration: durationMs, easing: 'ease-out' })
    return () => flash?.cancel()
  }, [key, frames, durationMs])
  return element
}
