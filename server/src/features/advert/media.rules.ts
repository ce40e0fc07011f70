import type { MediaKind } from '@aisle/contract/advert/creative'

/** So many bytes of a file from there on; fewer where it ends. */
export type Bytes = (at: number, length: number) => Buffer

export type Video = { media: Extract<MediaKind, 'mp4' | 'webm'>; seconds: number; width: number; height: number }
export type NoVideo = 'notMedia' | 'broken' | 'noLength'

/**
 * What a video says of itself, where the whole of it is there. Only its frame is read (ISO 14496-12, RFC 8794), never a
 * picture: a file that ends before its boxes do was cut off, which players that begin at the front don't notice.
 */
export function videoOf(read: Bytes, size: number): Video | NoVideo {
  const head = read(0, 12)
  try {
    if (head.toString('latin1', 4, 8) === 'ftyp') return mp4(read, size)
    if (head.length >= 4 && head.readUInt32BE(0) === EBML) return webm(read, size)
  } catch (thrown) {
    if (thrown instanceof CutOff || thrown instanceof RangeError) return 'broken'
    throw thrown
  }
  return 'notMedia'
}

class CutOff extends Error {}

type Box = { name: string; from: number; to: number }
/** More than any honest file has at one level. */
const MOST_BOXES = 20_000

/** What follows one another from `from` to `to`, each within it. */
function boxesOf(from: number, to: number, next: (at: number, to: number) => Box): Box[] {
  const boxes: Box[] = []
  for (let at = from; at < to; ) {
    const box = next(at, to)
    if (box.to > to || box.to <= at || boxes.length >= MOST_BOXES) throw new CutOff()
    boxes.push(box)
    at = box.to
  }
  return boxes
}

function mp4(read: Bytes, size: number): Video | NoVideo {
  const within = ({ from, to }: Box) => boxesOf(from, to, mp4Box(read))
  const top = boxesOf(0, size, mp4Box(read))
  const moov = named(top, 'moov')
  if (!moov || !named(top, 'mdat')) return 'broken'
  const parts = within(moov)
  const header = named(parts, 'mvhd')
  if (!header) return 'broken'
  const [isLong, at] = [read(header.from, 1).readUInt8(0) === 1, header.from]
  const scale = read(at + (isLong ? 20 : 12), 4).readUInt32BE(0)
  const length = isLong ? Number(read(at + 24, 8).readBigUInt64BE(0)) : read(at + 16, 4).readUInt32BE(0)
  for (const track of parts.filter(({ name }) => name === 'trak')) {
    const inside = within(track)
    const media = named(inside, 'mdia')
    const handler = media && named(within(media), 'hdlr')
    const shown = named(inside, 'tkhd')
    if (!handler || !shown || read(handler.from + 8, 4).toString('latin1') !== 'vide') continue
    // Both are numbers of 16 bits before the point and 16 behind it.
    const [width, height] = [8, 4].map((back) => read(shown.to - back, 4).readUInt32BE(0) >>> 16)
    return video('mp4', length / scale, width, height)
  }
  return 'notMedia'
}

const mp4Box =
  (read: Bytes) =>
  (at: number, to: number): Box => {
    const head = read(at, 16)
    const [short, name] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)]
    // 1: its size stands behind its name; 0: up to the end.
    if (short === 1) return { name, from: at + 16, to: at + Number(head.readBigUInt64BE(8)) }
    return { name, from: at + 8, to: short === 0 ? to : at + short }
  }

const EBML = 0x1a45dfa3
const ids = { segment: '18538067', info: '1549a966', tracks: '1654ae6b', track: 'ae', docType: '4282' } as const
const inInfo = { scale: '2ad7b1', duration: '4489' } as const
const inTrack = { type: '83', video: 'e0', width: 'b0', height: 'ba' } as const
const VIDEO_TRACK = 1
const NS = 1e9

function webm(read: Bytes, size: number): Video | NoVideo {
  const within = (box: Box | undefined) => (box ? boxesOf(box.from, box.to, element(read)) : [])
  const top = boxesOf(0, size, element(read))
  const docType = named(within(top[0]), ids.docType)
  if (!docType || text(read, docType) !== 'webm') return 'notMedia'
  const parts = within(named(top, ids.segment))
  const info = within(named(parts, ids.info))
  const duration = named(info, inInfo.duration)
  if (!duration) return 'noLength'
  const scale = number(read, named(info, inInfo.scale)) ?? 1_000_000
  for (const track of within(named(parts, ids.tracks)).filter(({ name }) => name === ids.track)) {
    const inside = within(track)
    if (number(read, named(inside, inTrack.type)) !== VIDEO_TRACK) continue
    const shown = within(named(inside, inTrack.video))
    const [width, height] = [inTrack.width, inTrack.height].map((id) => number(read, named(shown, id)))
    return video('webm', (float(read, duration) * scale) / NS, width, height)
  }
  return 'notMedia'
}

const element =
  (read: Bytes) =>
  (at: number, to: number): Box => {
    const id = vint(read, at)
    const size = vint(read, at + id.bytes)
    const from = at + id.bytes + size.bytes
    const name = read(at, id.bytes).toString('hex')
    // All ones: it was written as it came, and ends where what it lies in does.
    return { name, from, to: size.value === 2 ** (7 * size.bytes) - 1 ? to : from + size.value }
  }

/** A number that says in its first bits how long it is. */
function vint(read: Bytes, at: number): { bytes: number; value: number } {
  const first = read(at, 1).readUInt8(0)
  const bytes = Math.clz32(first) - 23
  if (bytes > 8) throw new CutOff()
  const rest = read(at + 1, bytes - 1)
  if (rest.length < bytes - 1) throw new CutOff()
  const value = rest.reduce((sum, byte) => sum * 256 + byte, first & (0xff >> bytes))
  return { bytes, value }
}

const content = (read: Bytes, { from, to }: Box) => read(from, Math.min(to - from, 64))
const text = (read: Bytes, box: Box) => content(read, box).toString('latin1')
const number = (read: Bytes, box: Box | undefined) =>
  box && content(read, box).reduce((sum, byte) => sum * 256 + byte, 0)
function float(read: Bytes, box: Box): number {
  const bytes = content(read, box)
  return bytes.length === 4 ? bytes.readFloatBE(0) : bytes.readDoubleBE(0)
}

const named = (boxes: readonly Box[], name: string) => boxes.find((box) => box.name === name)

function video(media: Video['media'], seconds: number, width = 0, height = 0): Video | NoVideo {
  if (!Number.isFinite(seconds) || seconds <= 0) return 'noLength'
  return width > 0 && height > 0 ? { media, seconds: Math.ceil(seconds), width, height } : 'broken'
}
