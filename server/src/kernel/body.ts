import { TooLarge } from './files/zip'

/** What another server answers, unpacked as it comes and left off where it is too long. @throws TooLarge */
export async function bodyOf(answer: Response, mostBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let left = mostBytes
  for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    left -= piece.length
    if (left < 0) throw new TooLarge(`an answer of more than ${mostBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
