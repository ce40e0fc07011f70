import { type RefObject, useEffect, useState } from 'react'

/**
 * After a try that failed, the first field that is wrong has the focus; where it is none, what was said of the whole
 * comes into sight, however long the form. @returns call it when one failed
 */
export function useFocusFault(holder: RefObject<HTMLElement | null>, answers: unknown): () => void {
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (tries === 0 && !answers) return
    const wrong = holder.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (wrong) return wrong.focus()
    holder.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' })
  }, [tries, answers, holder])
  return () => setTries((before) => before + 1)
}
