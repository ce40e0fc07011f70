import { z } from 'zod'
import { zPictureUrl } from '../kernel/endpoint'

/** Pictures of a document, as their upload addressed them; at most as many as its pages. */
export const zScans = z.array(zPictureUrl).max(5).default([])
