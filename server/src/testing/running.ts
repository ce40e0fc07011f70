import { runningIn } from '../db/embedded.running'
import { openPool } from '../db/pool'
import { systemClock } from '../kernel/clock'
import { sealedAbout } from '../kernel/outbox'
import { seal, unseal } from '../kernel/seal'
import { openKeys } from '../main/keys'

/** The database and keys of a server that runs in another process: for what a test issues behind its back. */
export function besideServer(dataDir: string) {
  const pool = openPool(runningIn(dataDir).url, 2, () => undefined)
  const keys = openKeys(dataDir)
  return {
    services: { db: pool.db, keys, clock: systemClock },
    raw: pool.raw,
    sealed: (about: string, text: string) => seal(keys, about, text),
    close: pool.close,
  }
}

/** What a secret message says, as its receiver would read it. */
export const readMessage = (dataDir: string, receiver: string, sealed: Buffer): string =>
  unseal(openKeys(dataDir), sealedAbout(receiver), sealed)
