import { useEffect, useRef } from 'react'

const AWAKE_MS = 4_000

/** While somebody moves the pointer or types, the element carries `data-awake`; no rendering for a mouse that moves. */
export function useAwake() {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const sleep = () => element.current?.removeAttribute('data-awake')
    const wake = () => {
      element.current?.setAttribute('data-awake', '')
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
