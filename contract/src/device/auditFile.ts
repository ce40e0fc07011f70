/**
 * The check value of an EVA-DTS audit file, as G85 holds it: CRC-16/ARC (polynomial 8005, reflected, from 0) over whole
 * lines from ST to the one before G85, each with CR LF. @returns four hexadecimal digits
 */
export function checkValue(lines: readonly string[]): string {
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\r\n`).join(''))
  return crc16(bytes).toString(16).toUpperCase().padStart(4, '0')
}

export function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}
