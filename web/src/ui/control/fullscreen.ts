import { useSyncExternalStore } from 'react'

export const useIsFullscreen = (): boolean => useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)

export async function toggleFullscreen(): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen()
  else await document.documentElement.requestFullscreen()
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}
