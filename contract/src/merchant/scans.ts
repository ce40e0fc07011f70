import { z } from 'zod'

/** Pictures of a document, as their upload addressed them; at most as many as its pages. */
export const zScans = z
  .array(z.string().regex(/^\/pictures\/[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.(svg|png|jpg)$/))
  .max(5)
  .default([])
