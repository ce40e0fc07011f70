import { type ReactNode, Suspense } from 'react'

/** Its words or its program may still be on their way: what waits for them is this part alone, not all around it. */
export const Part = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<div className="bone" />}>{children}</Suspense>
)
