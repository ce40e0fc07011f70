import { createHash } from 'node:crypto'
import { between } from '../random'
import type { Machine } from '../world'

/** A file as a command names it; `url` may be a path of the server that the machine was set up with. */
export type NamedFile = { url: string; sha256: string; bytes: number }

const MOST_TRIES = 5
const PATIENCE_MS = 60_000
const LOOK_MS = 500

/** A line that was cut goes on where it was: what was had is not fetched twice. @returns why it could not be had */
export async function fetchFile(machine: Machine, file: NamedFile, goesOn: () => boolean): Promise<string | null> {
  const { wheel, settings } = machine.world
  let hash = createHash('sha256')
  let had = 0
  for (let tries = 0; tries < MOST_TRIES; ) {
    await wheel.pause(between(machine.random, settings.downloadMs))
    while (goesOn() && !machine.isUp) await wheel.pause(LOOK_MS)
    if (!goesOn()) return 'superseded'
    const before = had
    try {
      const answer = await fetch(new URL(file.url, settings.serverUrl), {
        ...(had > 0 ? { headers: { range: `bytes=${had}-` } } : {}),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      if (answer.status === 404) return 'notThere'
      if (had > 0 && answer.status !== 206) {
        hash = createHash('sha256')
        had = 0
      }
      if (answer.ok && answer.body) {
        for await (const piece of answer.body) {
          hash.update(piece)
          had += piece.length
          if (had > file.bytes || !machine.isUp || !goesOn()) break
        }
      }
    } catch {
      // Cut off, or nobody there: tried again.
    }
    if (had > file.bytes) return 'checksumDiffers'
    if (had === file.bytes) return hash.digest('hex') === file.sha256 ? null : 'checksumDiffers'
    if (had === before) tries += 1
  }
  return 'notFetched'
}
