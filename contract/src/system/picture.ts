import { z } from 'zod'
import { endpoint } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'

export const pictureRefusals = defineRefusals('system', {
  'picture.notPicture': 422,
  'picture.tooLarge': 413,
  'picture.broken': 422,
  'picture.tooManyPixels': 422,
})

/** Specification §9: jpg or png, 500 kb. */
export const MAX_PICTURE_BYTES = 500 * 1024
/** Pixels a side that any picture is scaled down to, and a logo, which everybody loads before they sign in. */
export const LONGEST_SIDE = 2_000
export const LOGO_LONGEST_SIDE = 320
/** What a browser offers to choose from; the server looks at the content, not at the name. */
export const pictureTypes = ['image/jpeg', 'image/png'] as const

export const uploadPicture = endpoint({
  name: 'system.uploadPicture',
  method: 'POST',
  path: '/api/pictures',
  access: 'session',
  writes: true,
  // Above the limit, so that what is a little too large hears so in words of its own.
  input: z.strictObject({
    dataBase64: z.base64().max(900_000),
    longestSide: z.int().min(16).max(LONGEST_SIDE).default(LONGEST_SIDE),
  }),
  output: z.object({ url: z.string() }),
  refusals: [...pictureRefusals, 'file.busy'],
  summary: 'Upload a jpg or png; it is drawn anew without its metadata, and the same picture has one address',
})
