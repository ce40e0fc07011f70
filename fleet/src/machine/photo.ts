import { crc32, deflateSync } from 'node:zlib'
import { hash32 } from '../random'
import type { Machine } from '../world'

const WIDTH = 96
const HEIGHT = 128
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** What the camera sees: a cabinet whose shelves are as full as the slots are, as a small PNG. */
export function photograph(machine: Machine): string {
  const tint = hash32(machine.code) % 60
  const rows: Buffer[] = []
  for (let y = 0; y < HEIGHT; y += 1) {
    const row = Buffer.alloc(1 + WIDTH * 3)
    for (let x = 0; x < WIDTH; x += 1) row.set(pixel(machine, x, y, tint), 1 + x * 3)
    rows.push(row)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const png = Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return `data:image/png;base64,${png.toString('base64')}`
}

const SHELF = 16

function pixel({ slots }: Machine, x: number, y: number, tint: number): number[] {
  if (y % SHELF > SHELF - 3) return [70, 74, 84]
  const across = 8
  const at = Math.floor(y / SHELF) * across + Math.floor((x / WIDTH) * across)
  const slot = slots[at]
  const isThere = slot && slot.stock > 0 && x % (WIDTH / across) > 1
  return isThere ? [120 + tint, 60 + ((at * 37) % 160), 60 + ((at * 71) % 160)] : [28, 30, 36]
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body) >>> 0)
  return Buffer.concat([length, body, sum])
}
