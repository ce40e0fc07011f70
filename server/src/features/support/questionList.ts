import { createHash, randomUUID } from 'node:crypto'
import { type Language, languages } from '@aisle/contract/kernel/text'
import { faqState } from '@aisle/contract/support/faq'
import { publicAddress } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { announce } from '../../kernel/announce'
import type { Reader, Services, Tx } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { must } from '../../kernel/must'
import type { RawRoute } from '../../kernel/rawRoute'
import { atSite, settingOf } from '../../kernel/settings'
import { machineRowInSight, type Sight } from '../../kernel/scope'
import { stateTo } from '../../kernel/states'
import { cameToNothing, cancelCommands, isTaken, queueCommands, settleEnded, versionOfMinute } from '../device/public'

export const jobs: Job[] = [{ name: 'support.tellQuestions', cron: '*/10 * * * *', run: tellQuestions }]

const PATH = '/c/questions'
/** A list stays what it was: another one has another version. Not secret, since any customer reads it. */
export const rawRoutes: readonly RawRoute[] = [
  {
    method: 'GET',
    path: `${PATH}/:version`,
    run: async ({ db }, { params }) => {
      const version = /^\d{1,9}$/.test(params.version ?? '') ? Number(params.version) : 0
      const found = await sql<{ body: string }>`select body from question_list where version = ${version}`.execute(db)
      const [list] = found.rows
      if (!list) return { status: 404, type: 'text/plain', body: 'There is no such list of questions.\n' }
      const headers = { 'cache-control': 'public, max-age=604800, immutable' }
      return { status: 200, type: 'application/json', body: list.body, headers }
    },
  },
]

/** A machine that could not take the list is asked again after so long. */
const AGAIN_MS = 3_600_000
/** So many machines at once: others write between them. */
const AT_ONCE = 1000

/** Makes a new list where others are published than stand in the newest, and tells each machine that was ever heard. */
export async function tellQuestions({ db, clock }: Services): Promise<void> {
  for (let told = AT_ONCE; told === AT_ONCE; ) {
    told = await db.transaction().execute(async (tx) => {
      // One at a time, or a machine would be told twice.
      await sql`select pg_advisory_xact_lock(hashtext('support.tellQuestions'))`.execute(tx)
      const list = await newestList(tx, clock.now())
      if (!list) return 0
      await noteReported(tx)
      const due = await findDue(tx, list.version, clock.now())
      if (due.length > 0) await ask(tx, list, due, clock.now())
      return due.length
    })
  }
}

type List = { version: number; sha256: string; body: string }
type Written = { id: number; topic: string; texts: Partial<Record<Language, { question: string; answer: string }>> }
/** As many as somebody reads who stands before a machine (docs/DEVICES.md). */
const MOST_QUESTIONS = 30

/** @returns null as long as there was never anything to show */
async function newestList(tx: Tx, now: Date): Promise<List | null> {
  const texts = languages.map((each) => {
    const [question, answer] = [sql.ref(`question_${each}`), sql.ref(`answer_${each}`)]
    const said = sql`jsonb_build_object('question', ${question}, 'answer', ${answer})`
    return sql`${sql.lit(each)}, case when ${sql.lit(each)} = any(written) then ${said} end`
  })
  const published = await sql<Written>`select id, topic,
      jsonb_strip_nulls(jsonb_build_object(${sql.join(texts)})) as texts from faq
    where state = ${stateTo(faqState, 'publish')} and 'customers' = any(readers)
    order by place, id limit ${sql.lit(MOST_QUESTIONS)}`.execute(tx)
  const body = JSON.stringify({ questions: published.rows })
  const sha256 = createHash('sha256').update(body).digest('hex')
  const found = await sql<List>`select version, sha256, body from question_list
    order by version desc limit 1`.execute(tx)
  const [newest] = found.rows
  if (newest ? newest.sha256 === sha256 : published.rows.length === 0) return newest ?? null
  const list = { version: Math.max((newest?.version ?? 0) + 1, versionOfMinute(now)), sha256, body }
  const ids = published.rows.map(({ id }) => id)
  await sql`insert into question_list (version, sha256, body, faq_ids, made_at)
    values (${list.version}, ${sha256}, ${body}, ${ids}::bigint[], ${now})`.execute(tx)
  return list
}

/** A list that its machine has taken stays taken when its command is long forgotten. */
async function noteReported(tx: Tx): Promise<void> {
  await sql`update machine_questions q set reported_version = q.version from device_command c
    where c.id = q.command_id and ${isTaken}
      and q.reported_version is distinct from q.version`.execute(tx)
}

type Due = { machineId: number; merchantId: number }

/**
 * Machines that were told of another list or of none, or whose command came to nothing and that were heard since. One
 * that refused does not know how, and is asked again with the next list alone.
 */
async function findDue(tx: Tx, version: number, now: Date): Promise<Due[]> {
  const found = await sql<Due>`select m.id as "machineId", m.merchant_id as "merchantId" from machine m
    join machine_state s on s.machine_id = m.id and s.last_seen_at is not null
    left join machine_questions q on q.machine_id = m.id left join device_command c on c.id = q.command_id
    where m.retired_at is null and (q.version is distinct from ${version}
      or (q.reported_version is distinct from q.version and s.last_seen_at > q.asked_at
        and q.asked_at < ${new Date(now.getTime() - AGAIN_MS)} and ${cameToNothing}))
    order by m.id limit ${sql.lit(AT_ONCE)}`.execute(tx)
  return found.rows
}

/** What no machine has taken yet is taken back: who comes back hears of the newest list and no other. */
async function ask(tx: Tx, { version, sha256, body }: List, due: readonly Due[], now: Date): Promise<void> {
  const machineIds = due.map(({ machineId }) => machineId)
  const old = sql`c.type = 'push_questions' and c.machine_id = any(${machineIds}::bigint[])`
  await settleEnded(tx, await cancelCommands(tx, old, now), now)
  const site = await settingOf(tx, publicAddress, null)
  const path = `${PATH}/${version}`
  const data = { version, url: atSite(site, path) ?? path, sha256, bytes: Buffer.byteLength(body) }
  const asked = due.map((each) => ({ ...each, id: randomUUID() }))
  const about = { type: 'push_questions' as const, data, reason: null, createdBy: null }
  await queueCommands(
    tx,
    asked.map((each) => ({ ...each, ...about })),
    now,
  )
  const kept = asked.map(({ id, machineId }) => ({ id, machineId }))
  await sql`insert into machine_questions (machine_id, version, command_id, asked_at)
    select machine_id, ${version}::int, id, ${now} from ${rows('k', kept, { id: 'uuid', machineId: 'bigint' })}
    on conflict (machine_id) do update
      set version = excluded.version, command_id = excluded.command_id, asked_at = excluded.asked_at`.execute(tx)
  await announce(tx, { topic: 'commands', machineIds })
}

export type OnMachines = { shown: number; of: number }

/** Machines that say that they show a question, of those in sight that were ever heard. */
export async function onMachines(db: Reader, sight: Sight, faqId: number): Promise<OnMachines> {
  const found = await sql<OnMachines>`
    with shown as (select m.id, case when ${isTaken} then q.version else q.reported_version end as version
      from machine m join machine_state s on s.machine_id = m.id and s.last_seen_at is not null
      left join machine_questions q on q.machine_id = m.id left join device_command c on c.id = q.command_id
      where m.retired_at is null and ${machineRowInSight(sight, 'm')})
    select count(*)::int as "of", count(*) filter (where version in
      (select l.version from question_list l where l.faq_ids @> array[${faqId}::bigint]))::int as shown
    from shown`.execute(db)
  return must(found.rows[0], 'counts')
}
