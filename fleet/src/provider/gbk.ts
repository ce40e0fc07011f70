let known: Map<string, number> | null = null

/** Node reads GBK and does not write it: the table is what reading all pairs of bytes gives. */
export function toGbk(text: string): Buffer {
  known ??= readTable()
  const bytes: number[] = []
  for (const letter of text) {
    const pair = known.get(letter)
    if (pair === undefined) bytes.push(letter.charCodeAt(0) < 0x80 ? letter.charCodeAt(0) : 0x3f)
    else bytes.push(pair >> 8, pair & 0xff)
  }
  return Buffer.from(bytes)
}

function readTable(): Map<string, number> {
  const decoder = new TextDecoder('gbk')
  const table = new Map<string, number>()
  for (let high = 0x81; high <= 0xfe; high += 1) {
    for (let low = 0x40; low <= 0xfe; low += 1) {
      const letter = low === 0x7f ? '' : decoder.decode(Uint8Array.of(high, low))
      if ([...letter].length === 1 && letter !== '\uFFFD') table.set(letter, (high << 8) | low)
    }
  }
  return table
}
