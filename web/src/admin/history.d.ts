import '@tanstack/react-router'
import type { Place } from './address'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Of the pages before this one: with the entry of the history, so that a shared link does not carry them. */
    before?: readonly Place[]
  }
}
