import { type RefObject, useEffect, useState } from 'react'

/** After a try that failed, the first field that is wrong has the focus. @returns call it when one failed */
export function useFocusFault(holder: RefObject<HTMLElement | null>, answers: unknown): () => void {
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (tries === 0 && !answers) return
    const wrong = holder.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    wrong?.focus()
  }, [tries, answers, holder])
  return () => setTries((before) => before + 1)
}
