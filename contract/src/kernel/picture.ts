import { z } from 'zod'

/** The address of an uploaded picture, as settings and fields keep it. */
export const zPictureUrl = z.string().regex(/^\/pictures\/[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.(svg|png|jpg)$/)
