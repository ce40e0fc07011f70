import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backup } from '@aisle/contract/system/settings'
import type { Reader, Services } from '../../../kernel/context'
import type { Job } from '../../../kernel/jobs'
import { settingOf } from '../../../kernel/settings'
import { expired, isDue, type Keep, nameAt } from './backup.rules'
import * as store from './backup.store'
import { BACKUPS } from './files'
import { doubtfulOf, type Installation, makeBackup } from './make'

const DAY_MS = 86_400_000
/** How far back a run can be since which another one is due. */
const SINCE_MS = 2 * DAY_MS

/**
 * Looks each hour whether a backup is to begin. A run that fails is in its row, on the system's alarms and in the log;
 * the next hour tries again.
 */
export const backupJobs = (own: Omit<Installation, 'clock'>): Job[] => [
  { name: 'system.backup', cron: '7 * * * *', run: (services) => runSchedule(own, services) },
]

async function runSchedule(own: Omit<Installation, 'clock'>, services: Services): Promise<void> {
  const { db, clock, log } = services
  if (!(await settingOf(db, backup.isOn, null))) return
  const now = clock.now()
  const runs = await store.findSince(db, new Date(now.getTime() - SINCE_MS))
  if (!isDue(now, await settingOf(db, backup.hour, null), runs)) return
  const folder = (await settingOf(db, backup.folder, null)) ?? join(own.dataDir, BACKUPS)
  try {
    const asked = {
      file: join(folder, nameAt(now)),
      bySchedule: true,
      keys: null,
      say: (line: string) => log.debug(line),
    }
    const made = await makeBackup({ ...own, clock }, asked)
    if (made?.problem) log.error({ file: made.file, problem: made.problem }, 'a backup is doubtful')
    if (made && !made.problem) await clearExpired(services, await keepOf(db))
  } catch (err) {
    log.error({ err }, 'no backup was made')
  }
}

const keepOf = async (db: Reader): Promise<Keep> => ({
  days: await settingOf(db, backup.keepDays, null),
  weeks: await settingOf(db, backup.keepWeeks, null),
})

/** Only what this installation wrote by itself, and only now that a newer one is good. */
async function clearExpired({ db, clock }: Pick<Services, 'db' | 'clock'>, keep: Keep): Promise<void> {
  const kept = await store.findKept(db)
  const good = kept.filter(({ isGood }) => isGood === true)
  for (const run of [...expired(good, keep), ...kept.filter(({ isGood }) => isGood === false)]) {
    // Of one that failed there may be nothing, nor its folder.
    await rm(run.isGood ? run.file : doubtfulOf(run.file), { force: true }).catch(nothingIfNoFolder)
    await store.markRemoved(db, run.id, clock.now())
  }
}

function nothingIfNoFolder(cause: unknown): void {
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOTDIR')) throw cause
}
