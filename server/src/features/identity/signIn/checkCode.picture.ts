import { randomInt } from 'node:crypto'
import { refuse } from '../../../kernel/refuse'
import { loadSharp } from '../../../kernel/files/sharp'

/** The package draws a given text when called, which its types leave out. */
type Draw = (text: string, options: { noise: number; width: number; height: number }) => string

/** Each takes some milliseconds of a thread that files and keys are waiting for, too, so they are drawn in turn. */
const MOST_WAITING = 64
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/**
 * The code as pixels: 240 by 80 grey ones, not packed, so that neither the source nor the size says anything of it.
 * Programs that look at pictures can read it; it slows simple scripts and no more.
 * @throws Refusal when too many wait already
 */
export async function pictureOf(code: string): Promise<string> {
  if (waiting >= MOST_WAITING) return refuse('signIn.slowDown')
  waiting += 1
  const drawn = last.then(() => draw(code))
  last = drawn.catch(() => undefined)
  try {
    return `data:image/png;base64,${(await drawn).toString('base64')}`
  } finally {
    waiting -= 1
  }
}

async function draw(code: string): Promise<Buffer> {
  // With its font when it is first needed: a server that starts has machines waiting for it.
  const { default: svgCaptcha } = await import('svg-captcha')
  const strokes = (svgCaptcha as unknown as Draw)(code, { noise: 3, width: 120, height: 40 })
  // No symbol stands where it stood before: else pictures could be compared point by point.
  const moved = strokes.replaceAll('<path fill=', () => `<path transform="${somewhere()}" fill=`)
  const sharp = await loadSharp()
  return sharp(Buffer.from(moved), { density: 144 })
    .flatten({ background: '#f2f5fa' })
    .toColourspace('b-w')
    .png({ compressionLevel: 0 })
    .toBuffer()
}

const within = (most: number) => randomInt(-most, most + 1)
const somewhere = () => `translate(${within(3)} ${-randomInt(3)}) skewX(${within(10)})`
