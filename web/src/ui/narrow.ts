import { useSyncExternalStore } from 'react'

/** Below it a row of a list is a card, as in the media queries of the style sheets. */
const phone = matchMedia('(max-width: 640px)')

export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => phone.matches)

function subscribe(listener: () => void): () => void {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}
