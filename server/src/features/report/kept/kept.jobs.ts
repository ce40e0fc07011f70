import { reportState } from '@aisle/contract/report/request'
import { type Language, locales } from '@aisle/contract/kernel/text'
import { publicAddress } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { businessTime, momentText, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { Services } from '../../../kernel/context'
import type { Job } from '../../../kernel/jobs'
import { sightOf } from '../../../kernel/scope'
import { atSite, settingOf } from '../../../kernel/settings'
import { statesIn } from '../../../kernel/states'
import { word } from '../../../kernel/words'
import { notify } from '../../notice/public'
import { actorOf } from '../actor.store'
import { completeness } from '../completeness.reads'
import { titleOf } from '../exported'
import { periodOf } from '../period.rules'
import { make } from './kept.commands'
import { nextRun } from './kept.rules'
import { holdDue, keptReports, setNext } from './kept.store'

export const keptJobs: Job[] = [{ name: 'report.kept', cron: '*/5 * * * *', run: makeDue }]

/** A transaction: small enough that a stopped server loses little. */
const BATCH = 50

/** Asks for the file of each whose hour has come; that of somebody who is not let in any more stops. */
export async function makeDue({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  for (;;) {
    const done = await db.transaction().execute(async (tx) => {
      const now = clock.now()
      const due = await holdDue(tx, now, BATCH)
      for (const kept of due) {
        if (!kept.isLetIn) {
          await keptReports.move(tx, kept, 'stop', { nextAt: null })
          continue
        }
        await make(tx, kept, now)
        await setNext(tx, kept.id, nextRun(kept, now))
      }
      return due.length
    })
    if (done < BATCH) return
  }
}

type Ended = {
  id: number
  userId: number
  merchantId: number
  list: string
  /** Null where it is an export that nobody kept. */
  name: string | null
  state: 'done' | 'failed'
  rows: number
  query: Record<string, string>
  expiresAt: Date | null
}

/** Tells who asked for a file how it ended. It may be told twice: each person hears of a reference once. */
export async function tellOfFile({ db, clock }: Pick<Services, 'db' | 'clock'>, requestId: number): Promise<void> {
  const found = await sql<Ended>`select r.id, r.user_id as "userId", r.merchant_id as "merchantId", r.list, k.name,
      r.state, r.rows_done as rows, r.query, r.expires_at as "expiresAt"
    from report_request r left join kept_report k on k.id = r.kept_report_id
    where r.id = ${requestId} and r.state in ${statesIn(reportState, 'told')}`.execute(db)
  const [ended] = found.rows
  if (!ended) return
  const { userId, merchantId, list, name } = ended
  const path = `/tjfx/bbdc?open=${requestId}`
  const link = atSite(await settingOf(db, publicAddress, null), path) ?? path
  const whole = await wholenessOf({ db, clock }, ended)
  const vars = (language: Language) => ({
    ...varsOf(ended),
    link,
    whole: whole(language),
    ...namesOf(name ?? titleOf(list, language)),
  })
  const reference = `report:${requestId}`
  await db
    .transaction()
    .execute((tx) =>
      notify(tx, { type: typeOf(ended), merchantId, vars, userIds: [userId], reference, at: clock.now() }),
    )
}

/** How much of what happened the file knows, as its owner may see it; of what has no days nothing is said. */
async function wholenessOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  ended: Ended,
): Promise<(language: Language) => string> {
  const { userId, query } = ended
  const actor = typeOf(ended) === 'report.kept' ? await actorOf(db, userId) : null
  const now = clock.now()
  const { day: today } = businessTime(now, PLATFORM_TIME_ZONE)
  const period = query.from === undefined ? null : periodOf(query, today)
  if (!actor || !period) return () => ''
  const merchantId = query.merchantId === undefined ? undefined : Number(query.merchantId)
  const asked = { merchantId, machineCode: query.machineCode }
  const { heardPermille, openDays, days } = await completeness(db, sightOf(actor), asked, { period, today, now })
  if (heardPermille === null) return () => ''
  return (language) =>
    word(language, 'report', 'whole.kept', { share: shareText(heardPermille, language), closed: days - openDays, days })
}

const shareText = (permille: number, language: Language): string =>
  new Intl.NumberFormat(locales[language], { style: 'percent', maximumFractionDigits: 1 }).format(permille / 1000)

/** The types of messages name it differently. */
const namesOf = (name: string) => ({ name, report: name })

function typeOf({ state, name }: Ended): string {
  if (reportState.is(state, 'failed')) return 'report.failed'
  return name === null ? 'report.ready' : 'report.kept'
}

const varsOf = ({ rows, query, expiresAt }: Ended) => ({
  rows: String(rows),
  days: [...new Set([query.from, query.to])].filter(Boolean).join(' – ') || '–',
  until: expiresAt ? momentText(expiresAt) : '–',
})
