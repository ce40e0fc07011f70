import type { Services } from '../../kernel/context'
import { addJob, type Job } from '../../kernel/jobs'
import type { Route } from '../../kernel/route'
import { allFiles, remove } from './kept.file'
import { keptJobs, tellOfFile } from './kept/kept.jobs'
import { makeReport } from './make'
import { unwanted } from './make.store'
import { FORGET_JOB, REPORT_JOB } from './request.commands'
import { expire, takeStranded } from './request.store'

/** @param routes of every list, since a report is a list read to its end */
export const reportJobs = (routes: readonly Route[]): Job[] => [
  { name: REPORT_JOB, run: (services, { id }) => makeAndTell(services, routes, Number(id)) },
  { name: 'report.resume', cron: '*/2 * * * *', run: resumeStranded },
  ...keptJobs,
  { name: FORGET_JOB, cron: '25 * * * *', run: forgetExpired },
]

async function makeAndTell(services: Services, routes: readonly Route[], id: number): Promise<void> {
  try {
    await makeReport(services, routes, id)
  } finally {
    await tellOfFile(services, id)
  }
}

const STRANDED_MS = 5 * 60_000

/** A process that died left them where they were; the worker itself would wait for hours. */
async function resumeStranded({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const ids = await takeStranded(db, new Date(now.getTime() - STRANDED_MS), now)
  for (const id of ids) await addJob(db, REPORT_JOB, { id })
}

/** Also what a process left that died, of reports that nobody makes any more. */
async function forgetExpired(services: Services): Promise<void> {
  await expire(services.db, services.clock.now())
  const names = (await allFiles(services)).filter((name) => /^\d/.test(name))
  for (const name of await unwanted(services.db, names)) await remove(services, name)
}
