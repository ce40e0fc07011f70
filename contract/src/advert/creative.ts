import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zLine, zNeeded, zPictureUrl, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { advertised } from './law'

/** What a screen plays. It plays nowhere before another person than who made it has seen it. */
export const creativeState = stateTable({
  initial: 'draft',
  states: ['draft', 'live', 'turned_down', 'withdrawn'],
  moves: {
    approve: { from: ['draft'], to: 'live' },
    turnDown: { from: ['draft'], to: 'turned_down' },
    withdraw: { from: ['draft', 'live'], to: 'withdrawn' },
  },
  sets: { bookable: ['draft', 'live'] },
})
export type CreativeState = (typeof creativeState.states)[number]

/** By the content of the file; a webp is kept as the jpg that it is drawn anew as. */
export const mediaKinds = ['jpg', 'png', 'mp4', 'webm'] as const
export type MediaKind = (typeof mediaKinds)[number]
export const isVideo = (media: MediaKind): boolean => media === 'mp4' || media === 'webm'
/** What a browser offers to choose from; the server looks at the content, not at the name. */
export const mediaTypes = ['image/jpeg', 'image/png', 'image/webp', 'video/mp4', 'video/webm'] as const

export const creativeRefusals = defineRefusals('advert', {
  'creative.state': 409,
  'creative.nameTaken': 409,
  'creative.rx': 422,
  'creative.tobacco': 422,
  'creative.approvalMissing': 422,
  'creative.warningUnseen': 422,
  'creative.ownWork': 409,
  'creative.notMedia': 422,
  'creative.broken': 422,
  'creative.tooLarge': 413,
  'creative.noLength': 422,
  'creative.tooLong': 422,
  'upload.incomplete': 409,
})

/** Of a file that is on its way, a part at a time: each fits into a call, base64 and all. */
export const UPLOAD_PART_BYTES = 512 * 1024
/** Of a picture, which is held whole while it is drawn; for a video the setting alone counts. */
export const MOST_CREATIVE_PICTURE_BYTES = 20 * 1024 * 1024
/** Seconds that a picture stands. */
const zSeconds = z.coerce.number().int().min(3).max(60)

const creative = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  name: z.string(),
  state: z.enum(creativeState.states),
  media: z.enum(mediaKinds),
  /** A small picture of it; a video has none. */
  preview: zPictureUrl.nullable(),
  bytes: z.int(),
  seconds: z.int(),
  width: z.int(),
  height: z.int(),
  sha256: z.string(),
  advertised: z.enum(advertised),
  approvalNo: z.string(),
  /** Bookings that it is in and that are not over. */
  bookings: z.int(),
  createdBy: z.string().nullable(),
  createdAt: zInstant,
  reviewedBy: z.string().nullable(),
})
export type Creative = z.output<typeof creative>

export const creativeFields = {
  preview: { kind: 'image' },
  name: { kind: 'text' },
  state: stateField('creativeState', creativeState, {
    draft: 'warn',
    live: 'good',
    turned_down: 'bad',
    withdrawn: 'idle',
  }),
  media: { kind: 'state', words: 'media', tones: {} },
  advertised: { kind: 'state', words: 'advertised', tones: {} },
  approvalNo: { kind: 'text' },
  seconds: { kind: 'count' },
  bytes: { kind: 'count' },
  width: { kind: 'count' },
  height: { kind: 'count' },
  sha256: { kind: 'text' },
  bookings: { kind: 'count' },
  showsWarning: { kind: 'boolean' },
  reason: { kind: 'longText' },
  merchantName: { kind: 'text' },
  createdBy: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
  reviewedBy: { kind: 'text' },
} satisfies Fields

export const listCreatives = listEndpoint({
  name: 'advert.listCreatives',
  path: '/api/creatives',
  access: 'advert.read',
  summary: 'Pictures and videos of merchants in sight that machines may play',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(creativeState.states).optional(),
    advertised: zAnyOf(advertised).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: creative,
})

export const getCreative = endpoint({
  name: 'advert.getCreative',
  method: 'GET',
  path: '/api/creatives/{id}',
  access: 'advert.read',
  input: z.strictObject({ id: zId }),
  output: creative.extend({
    /** Who reads this made it: another person has to look at it. */
    isOwn: z.boolean(),
    turnedDownFor: z.string().nullable(),
    /** Where it plays or is to play. */
    inBookings: z.array(z.object({ id: z.int(), name: z.string() })),
  }),
  refusals: ['request.notFound'],
  summary: 'One picture or video, what it is for and where it is booked',
})
export type CreativeDetail = z.output<typeof getCreative.output>

export const openCreative = endpoint({
  name: 'advert.openCreative',
  method: 'POST',
  path: '/api/creatives/{id}/open',
  access: 'advert.read',
  input: z.strictObject({ id: zId }),
  output: z.object({ url: z.string() }),
  refusals: ['request.notFound'],
  summary: 'An address of the file itself, for a few minutes',
})

const written = { method: 'POST' as const, access: 'advert.write' as const, writes: true }

export const beginUpload = endpoint({
  ...written,
  name: 'advert.beginUpload',
  path: '/api/advert-uploads',
  input: z.strictObject({ bytes: z.int().min(1).max(1_000_000_000_000) }),
  output: z.object({ id: z.int() }),
  refusals: ['creative.tooLarge'],
  summary: 'Announce a file; what is larger than the setting allows is refused before anything of it is sent',
})

export const sendPart = endpoint({
  name: 'advert.sendPart',
  method: 'POST',
  path: '/api/advert-uploads/{id}/parts',
  access: 'advert.write',
  input: z.strictObject({
    id: zId,
    at: z.int().min(0),
    dataBase64: z.base64().max(Math.ceil(UPLOAD_PART_BYTES / 3) * 4),
  }),
  /** How much is there: the next part begins at it, after a cut line too. */
  output: z.object({ received: z.int() }),
  refusals: ['request.notFound', 'creative.tooLarge'],
  summary: 'One part of an announced file. A part that is there, or that does not follow, changes nothing',
})

const said = {
  name: zNeeded(60),
  advertised: z.enum(advertised),
  approvalNo: zLine(60).default(''),
  /** Of a picture; a video is as long as it is. */
  seconds: zSeconds.default(10),
}

export const addCreative = endpoint({
  ...written,
  name: 'advert.addCreative',
  path: '/api/creatives',
  input: z.strictObject({ uploadId: zId, ...said }),
  output: z.object({ id: z.int(), state: z.enum(creativeState.states) }),
  refusals: [
    'request.notFound',
    'upload.incomplete',
    'creative.tooLarge',
    'creative.nameTaken',
    'creative.rx',
    'creative.tobacco',
    'creative.approvalMissing',
    'creative.notMedia',
    'creative.broken',
    'creative.noLength',
    'creative.tooLong',
    'picture.broken',
    'picture.tooManyPixels',
    'file.busy',
  ],
  summary: 'Make a picture or video of a file that was sent; it is looked at by its content',
})

const moved = z.object({ id: z.int(), state: z.enum(creativeState.states) })

export const approveCreative = endpoint({
  ...written,
  access: 'advert.review',
  name: 'advert.approveCreative',
  path: '/api/creatives/{id}/approve',
  /** `showsWarning`: whoever looked has read what its law wants said in it. */
  input: z.strictObject({ id: zId, showsWarning: z.boolean().default(false) }),
  output: moved,
  refusals: [
    'request.notFound',
    'creative.state',
    'creative.ownWork',
    'creative.rx',
    'creative.tobacco',
    'creative.approvalMissing',
    'creative.warningUnseen',
  ],
  summary: 'Another person has seen it: machines may play it',
})

export const turnDownCreative = endpoint({
  ...written,
  access: 'advert.review',
  name: 'advert.turnDownCreative',
  path: '/api/creatives/{id}/turn-down',
  input: z.strictObject({ id: zId, reason: zNeeded(200) }),
  output: moved,
  refusals: ['request.notFound', 'creative.state', 'creative.ownWork'],
  summary: 'It is played nowhere; who made it reads why',
})

export const withdrawCreative = endpoint({
  ...written,
  name: 'advert.withdrawCreative',
  path: '/api/creatives/{id}/withdraw',
  input: z.strictObject({ id: zId }),
  output: moved,
  refusals: ['request.notFound', 'creative.state'],
  summary: 'Machines play it no more',
})
