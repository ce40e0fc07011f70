import { createContext, type ReactNode } from 'react'

/** The tabs of a screen of several lists, which each of them shows below its heading. */
export const PartsContext = createContext<ReactNode>(null)
