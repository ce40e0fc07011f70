import { MAX_PICTURE_BYTES } from '@aisle/contract/system/picture'
import type Sharp from 'sharp'
import { refuse } from '../refuse'
import { loadSharp } from './sharp'

/** A picture's memory while it is drawn grows with these, whatever few bytes it came in. */
const MOST_PIXELS = 25_000_000
/** A small file may well hold a picture that is large when drawn anew. */
const MOST_DRAWN_BYTES = 2 * 1024 * 1024
const MOST_SECONDS = 10

const reading = { limitInputPixels: MOST_PIXELS, failOn: 'error' } as const

export type Drawn = { bytes: Buffer; kind: 'jpg' | 'png'; width: number; height: number }

/**
 * The picture and nothing else of the file: decoded, turned upright, scaled down where it is larger, encoded anew. What
 * else was in the file (a place, a script, an archive behind the end) is not in the answer.
 * @throws Refusal for what is no jpg or png, is broken, or is too large to be drawn
 */
export async function drawAnew(file: Buffer, longestSide: number, mostBytes = MAX_PICTURE_BYTES): Promise<Drawn> {
  if (file.length > mostBytes) return refuse('picture.tooLarge')
  return drawAs(file, pictureIn(file) ?? refuse('picture.notPicture'), longestSide)
}

/** The same of a file that was found to be a picture, however large. */
export async function drawAs(file: Buffer, kind: Drawn['kind'], longestSide: number): Promise<Drawn> {
  const sharp = await loadSharp()
  await refuseTooManyPixels(sharp, file)
  const drawn = await encoded(sharp(file, reading), kind, longestSide).catch(() => refuse('picture.broken'))
  if (drawn.data.length > MOST_DRAWN_BYTES) return refuse('picture.tooManyPixels')
  return { bytes: drawn.data, kind, width: drawn.info.width, height: drawn.info.height }
}

/** By content: the name and the type that a browser says are only words. */
export function pictureIn(file: Buffer): Drawn['kind'] | undefined {
  if (file.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpg'
  if (file.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'png'
  return undefined
}

/**
 * The header alone is read. A picture that comes in passes (progressive, interlaced) is held whole while it is drawn,
 * one of 16 bits in twice the memory.
 */
async function refuseTooManyPixels(sharp: typeof Sharp, file: Buffer): Promise<void> {
  const { width, height, isProgressive, depth } = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => refuse('picture.broken'))
  const weight = (isProgressive ? 4 : 1) * (depth === 'uchar' ? 1 : 2)
  if (width * height * weight > MOST_PIXELS) refuse('picture.tooManyPixels')
}

function encoded(read: ReturnType<typeof Sharp>, kind: Drawn['kind'], longestSide: number) {
  const drawing = read
    .timeout({ seconds: MOST_SECONDS })
    .autoOrient()
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
  const written = kind === 'jpg' ? drawing.jpeg({ quality: 85 }) : drawing.png({ compressionLevel: 9 })
  return written.toBuffer({ resolveWithObject: true })
}
