import type { Language } from '@aisle/contract/kernel/text'
import { momentText } from '../../kernel/businessDay'
import type { Services, Tx } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { findPlatform } from '../../kernel/scope'
import { word } from '../../kernel/words'
import { notify } from '../notice/public'
import { contradictions } from '../trade/public'
import { sealPending, verifyChain } from './seal.commands'
import * as sealStore from './seal.store'
import { type Condition, settle } from './systemAlarm.store'
import { conditionsNow } from './watch.store'

export const jobs: Job[] = [
  { name: 'audit.seal', cron: '* * * * *', run: seal },
  { name: 'audit.verify', cron: '40 18 * * *', run: verify },
  { name: 'audit.verifyBooks', cron: '10 19 * * *', run: verifyBooks },
  { name: 'audit.watch', cron: '* * * * *', run: watch },
]

async function seal(services: Services): Promise<void> {
  await sealPending(services)
}

/** Each night of the network's home: what it finds stands on the log page and raises an alarm. */
async function verify({ db, clock, keys, dataDir, log }: Services): Promise<void> {
  const { rows, problems } = await verifyChain(db, keys, dataDir)
  if (problems.length > 0) log.error({ problems: problems.slice(0, 20) }, 'the audit log was tampered with')
  await sealStore.recordCheck(db, { about: 'log', now: clock.now(), rows, problems })
}

/** The ledger, stock and rollups against the facts they are made of. */
async function verifyBooks({ db, clock, log }: Services): Promise<void> {
  const problems = await contradictions(db)
  if (problems.length > 0) log.error({ problems: problems.slice(0, 20) }, 'the books contradict the facts')
  await sealStore.recordCheck(db, { about: 'books', now: clock.now(), rows: 0, problems })
}

async function watch({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const conditions = await conditionsNow(db, now)
  await db.transaction().execute(async (tx) => {
    for (const began of await settle(tx, conditions, now)) await tell(tx, began, now)
  })
}

/** Whom the platform's push settings name, each in their own language. */
async function tell(tx: Tx, { kind, cause }: Condition, now: Date): Promise<void> {
  const merchantId = await findPlatform(tx)
  if (merchantId === null) return
  const vars = (language: Language) => ({
    name: word(language, 'audit', `alarmKind.${kind}`),
    detail: `${word(language, 'audit', `alarmKind.${kind}.help`)} ${cause}`.trim(),
    at: momentText(now),
  })
  const reference = `systemAlarm/${kind}/${cause}/${now.toISOString()}`
  await notify(tx, { type: 'alarm.system', merchantId, vars, reference, at: now })
}
