import { useEffect, useRef } from 'react'

const AWAKE_MS = 4_000

/** While somebody moves the pointer or types, the element carries `is-awake`; no rendering for a mouse that moves. */
export function useAwake() {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const sleep = () => element.current?.classList.remove('is-awake')
    const wake = () => {
      element.current?.classList.add('is-awake')
      clearTimeout(timer)
      timer = setTimeout(sleep, AWAKE_MS)
    }
    addEventListener('pointermove', wake)
    addEventListener('pointerdown', wake)
    addEventListener('keydown', wake)
    return () => {
      clearTimeout(timer)
      removeEventListener('pointermove', wake)
      removeEventListener('pointerdown', wake)
      removeEventListener('keydown', wake)
    }
  }, [])
  return element
}
