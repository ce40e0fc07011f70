/** Videos of a frame without pictures: what reads them looks at no more than that. */
const be32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const box = (name: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([be32(body.length + 8), Buffer.from(name, 'latin1'), body])
}

type Made = { seconds?: number; handler?: string; filler?: number; moovFirst?: boolean }

export function mp4({ seconds = 15, handler = 'vide', filler = 1_000, moovFirst = false }: Made = {}): Buffer {
  const mvhd = box('mvhd', Buffer.alloc(12), be32(1_000), be32(seconds * 1_000), Buffer.alloc(80))
  const tkhd = box('tkhd', Buffer.alloc(76), be32(1_080 << 16), be32((1_920 << 16) >>> 0))
  const hdlr = box('hdlr', Buffer.alloc(8), Buffer.from(handler, 'latin1'), Buffer.alloc(13))
  const moov = box('moov', mvhd, box('trak', tkhd, box('mdia', hdlr)))
  const mdat = box('mdat', Buffer.alloc(filler, 7))
  const ftyp = box('ftyp', Buffer.from('isom\x00\x00\x02\x00isommp42', 'latin1'))
  return Buffer.concat([ftyp, ...(moovFirst ? [moov, mdat] : [mdat, moov])])
}

const el = (id: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(body.length))
  size[0] = 1
  return Buffer.concat([Buffer.from(id, 'hex'), size, body])
}

/** @param seconds null: it says no length, as what a browser records */
export function webm(seconds: number | null = 12, docType = 'webm'): Buffer {
  const length = Buffer.alloc(8)
  length.writeDoubleBE((seconds ?? 0) * 1_000)
  const info = el(
    '1549a966',
    el('2ad7b1', Buffer.from('0f4240', 'hex')),
    ...(seconds === null ? [] : [el('4489', length)]),
  )
  const shown = el('e0', el('b0', Buffer.from('0500', 'hex')), el('ba', Buffer.from('02d0', 'hex')))
  const tracks = el('1654ae6b', el('ae', el('83', Buffer.from([1])), shown))
  const cluster = el('1f43b675', Buffer.alloc(800, 3))
  return Buffer.concat([el('1a45dfa3', el('4282', Buffer.from(docType))), el('18538067', info, tracks, cluster)])
}
