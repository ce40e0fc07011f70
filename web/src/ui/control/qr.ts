/**
 * A QR code (ISO/IEC 18004) for a short address: byte mode, error correction L, versions 1 to 5, which are the ones
 * with a single block, and always mask 0. Every reader takes that, and 106 bytes are enough for an address of ours.
 */
const capacities = [19, 34, 55, 80, 108] as const
const corrections = [7, 10, 15, 20, 26] as const
/** Error correction L with mask 0, and its BCH code (table C.1 of the standard). */
const FORMAT = 0b111011111000100

/** @returns rows of modules, true is dark; null for a text that is too long */
export function qrModules(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text)
  const version = capacities.findIndex((capacity) => bytes.length + 2 <= capacity) + 1
  if (version === 0) return null
  const data = dataCodewords(bytes, capacities[version - 1] ?? 0)
  const codewords = [...data, ...correction(data, corrections[version - 1] ?? 0)]
  return draw(version, codewords)
}

function dataCodewords(bytes: Uint8Array, capacity: number): number[] {
  const bits = `0100${bits8(bytes.length)}${Array.from(bytes, bits8).join('')}0000`
  const used = Array.from({ length: Math.floor(bits.length / 8) }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2),
  )
  const filling = Array.from({ length: capacity - used.length }, (_, at) => (at % 2 === 0 ? 0xec : 0x11))
  return [...used, ...filling]
}

const bits8 = (byte: number): string => byte.toString(2).padStart(8, '0')

/** Reed-Solomon over GF(256) with the polynomial 0x11d. */
function correction(data: readonly number[], count: number): number[] {
  const divisor = generator(count)
  let rest = new Array<number>(count).fill(0)
  for (const byte of data) {
    const factor = byte ^ (rest[0] ?? 0)
    rest = [...rest.slice(1), 0].map((value, at) => value ^ times(divisor[at] ?? 0, factor))
  }
  return rest
}

/** Coefficients below the leading 1, highest power first. */
function generator(count: number): number[] {
  let product = [1]
  for (let power = 0, root = 1; power < count; power += 1, root = times(root, 2)) {
    const shifted = [...product, 0]
    product = shifted.map((value, at) => value ^ times(product[at - 1] ?? 0, root))
  }
  return product.slice(1)
}

function times(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> bit) & 1) * a
  }
  return product
}

function draw(version: number, codewords: readonly number[]): boolean[][] {
  const size = 17 + 4 * version
  const grid = Array.from({ length: size }, () => new Array<boolean | null>(size).fill(null))
  const put = (x: number, y: number, isDark: boolean) => {
    const row = grid[y]
    if (row && x >= 0 && x < size) row[x] = isDark
  }
  for (let at = 0; at < size; at += 1) {
    put(6, at, at % 2 === 0)
    put(at, 6, at % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(put, x, y, 4, [2, 4])
  if (version > 1) square(put, size - 7, size - 7, 2, [1])
  putFormat(put, size)
  putData(grid, size, codewords)
  return grid.map((row) => row.map(Boolean))
}

type Put = (x: number, y: number, isDark: boolean) => void

/** Nested squares around a middle; the rings named are light. */
function square(put: Put, midX: number, midY: number, radius: number, lightRings: readonly number[]): void {
  for (let dy = -radius; dy <= radius; dy += 1) {
    for (let dx = -radius; dx <= radius; dx += 1) {
      put(midX + dx, midY + dy, !lightRings.includes(Math.max(Math.abs(dx), Math.abs(dy))))
    }
  }
}

function putFormat(put: Put, size: number): void {
  const isSet = (bit: number) => ((FORMAT >> bit) & 1) === 1
  for (let bit = 0; bit <= 5; bit += 1) put(8, bit, isSet(bit))
  put(8, 7, isSet(6))
  put(8, 8, isSet(7))
  put(7, 8, isSet(8))
  for (let bit = 9; bit < 15; bit += 1) put(14 - bit, 8, isSet(bit))
  for (let bit = 0; bit < 8; bit += 1) put(size - 1 - bit, 8, isSet(bit))
  for (let bit = 8; bit < 15; bit += 1) put(8, size - 15 + bit, isSet(bit))
  put(8, size - 8, true)
}

/** In pairs of columns from the right, up and down in turn, where it is still free; mask 0 turns every other one. */
function putData(grid: (boolean | null)[][], size: number, codewords: readonly number[]): void {
  let bit = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    const isUpward = ((right + 1) & 2) === 0
    for (let step = 0; step < size; step += 1) {
      const y = isUpward ? size - 1 - step : step
      const row = grid[y] ?? []
      for (const x of [right, right - 1]) {
        if (row[x] !== null) continue
        const isSet = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1
        row[x] = isSet !== ((x + y) % 2 === 0)
        bit += 1
      }
    }
  }
}
