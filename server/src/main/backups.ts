import { BackupError, lastGoodAt, refuseUnfinished } from '../features/system/public'
import type { Services } from '../kernel/context'
import { StartError } from './config'

/** Seconds, to be read by whoever watches the server; infinite as long as there was none. */
export const backupAge =
  ({ db, clock }: Pick<Services, 'db' | 'clock'>) =>
  async (): Promise<number> => {
    const at = await lastGoodAt(db)
    return at ? (clock.now().getTime() - at.getTime()) / 1000 : Number.POSITIVE_INFINITY
  }

/** @throws StartError where a restore was cut off: what is there looks whole and isn't */
export async function refuseHalfRestored(dataDir: string): Promise<void> {
  await refuseUnfinished(dataDir).catch((cause: unknown) => {
    throw cause instanceof BackupError ? new StartError(cause.message) : cause
  })
}
