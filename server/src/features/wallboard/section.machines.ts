import { testState } from '@aisle/contract/device/machineTest'
import { repairOrderState } from '@aisle/contract/maintenance/repairOrder'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { statesIn } from '../../kernel/states'
import { word } from '../../kernel/words'
import {
  dailyTrend,
  dawn,
  day,
  dayOf,
  figure,
  formerBegin,
  monthBegin,
  monthlyTrend,
  monthsAgo,
  one,
  type Parts,
  ranking,
  type Shown,
  subtree,
  unnamed,
} from './section.parts'

/** Machines made, tested, deployed; what runs on them, and how its next version goes out. */
export async function production(db: Reader, shown: Shown): Promise<Parts> {
  const { merchantId, today } = shown
  const ours = sql`m.merchant_id in (${subtree(merchantId)})`
  const month = monthBegin(today)
  const fleet = await one(
    db,
    sql<Record<'service' | 'deployed' | 'before' | 'made' | 'newest' | 'running', number> & { hasNewest: boolean }>`
      select count(*) filter (where m.retired_at is null) as service,
        count(*) filter (where m.deployed_at >= ${month}) as deployed,
        count(*) filter (where m.deployed_at >= ${formerBegin(today)} and m.deployed_at < ${month}) as before,
        count(*) filter (where m.manufactured_on >= ${day(today)} - 365) as made,
        count(*) filter (where m.retired_at is null and s.app_version = newest.version) as newest,
        count(*) filter (where m.retired_at is null and s.app_version is not null) as running,
        count(newest.version) > 0 as "hasNewest"
      from machine m join machine_state s on s.machine_id = m.id
      left join (${lastSent(ours)}) newest on true
      where ${ours}`,
  )
  const tests = await one(
    db,
    sql<{ done: number; passed: number }>`select count(*) as done, count(*) filter (where t.state = 'passed') as passed
      from machine_test t join machine m on m.id = t.machine_id
      where t.ended_at >= ${month} and t.state in ${statesIn(testState, 'proven')} and ${ours}`,
  )
  return {
    figures: [
      figure('service', 'count', fleet.service),
      figure('deployed', 'count', fleet.deployed, fleet.before),
      figure('made', 'count', fleet.made),
      figure('tests', 'count', tests.done),
      figure('testsPassed', 'share', tests.done === 0 ? null : tests.passed / tests.done),
      figure('newestVersion', 'share', fleet.hasNewest && fleet.running ? fleet.newest / fleet.running : null),
    ],
    trend: await monthlyTrend(db, shown, {
      name: 'deployedByMonth',
      unit: 'count',
      query: sql`select ${dayOf(sql`m.deployed_at`)} as day, count(*) as value from machine m
        where m.deployed_at >= ${dawn(monthsAgo(today))} and ${ours} group by 1`,
    }),
    rankings: [
      await ranking(
        db,
        'versions',
        'count',
        sql`select s.app_version as label, count(*) as value from machine_state s join machine m on m.id = s.machine_id
          where s.app_version is not null and m.retired_at is null and ${ours}
          group by 1 order by 2 desc, 1 desc limit 6`,
      ),
      await ranking(
        db,
        'models',
        'count',
        sql`select m.model as label, count(*) as value from machine m
          where m.model <> '' and m.retired_at is null and ${ours} group by 1 order by 2 desc, 1 limit 6`,
      ),
      await ranking(
        db,
        'waves',
        'share',
        sql`select p.version || ' · ' || r.wave || '/' || cardinality(r.waves) as label,
            count(*) filter (where x.state = 'done')::float8 / count(*) as value
          from rollout r join app_package p on p.id = r.package_id join rollout_machine x on x.rollout_id = r.id
          join machine m on m.id = x.machine_id where ${ours}
          group by r.id, p.version order by r.created_at desc, r.id desc limit 4`,
      ),
    ],
  }
}

/** The version that was last sent to any of these machines; one that waits in the shelf is nothing that they lack. */
const lastSent = (ours: RawBuilder<unknown>) => sql`
  select p.version from rollout r join app_package p on p.id = r.package_id
  where r.state <> 'rolled_back' and exists (
    select 1 from rollout_machine x join machine m on m.id = x.machine_id where x.rollout_id = r.id and ${ours})
  order by r.created_at desc, r.id desc limit 1`

/** Work that is open, how long repairs take, what breaks. */
export async function afterSales(db: Reader, shown: Shown): Promise<Parts> {
  const { merchantId, today, language } = shown
  const ours = (column: string) => sql`${sql.ref(column)} in (${subtree(merchantId)})`
  const month = monthBegin(today)
  const former = formerBegin(today)
  const work = await one(
    db,
    sql<Record<'open' | 'overdue' | 'done' | 'doneBefore', number> & Record<'hours' | 'hoursBefore', number | null>>`
      select count(*) filter (where r.state in ${statesIn(repairOrderState, 'undone')}) as open,
        count(*) filter (where r.state in ${statesIn(repairOrderState, 'undone')}
          and r.due_on < ${day(today)}) as overdue,
        count(*) filter (where r.done_at >= ${month}) as done,
        count(*) filter (where r.done_at >= ${former} and r.done_at < ${month}) as "doneBefore",
        ${repairHours(sql`r.done_at >= ${month}`)} as hours,
        ${repairHours(sql`r.done_at >= ${former} and r.done_at < ${month}`)} as "hoursBefore"
      from repair_order r where ${ours('r.merchant_id')}`,
  )
  const alarms = await one(
    db,
    sql<{ lasting: number; stake: number }>`select count(*) as lasting, coalesce(round(sum(a.usual_fen_hour
        * extract(epoch from ${shown.now}::timestamptz - a.opened_at) / 3600)), 0)::bigint as stake
      from alarm a where a.state <> 'closed' and ${ours('a.merchant_id')}`,
  )
  const causes = await ranking(
    db,
    'causes',
    'count',
    sql`select a.cause as label, count(*) as value from alarm a
      where a.opened_at >= ${month} and ${ours('a.merchant_id')} group by 1 order by 2 desc, 1 limit 8`,
  )
  return {
    figures: [
      figure('openWork', 'count', work.open),
      figure('overdueWork', 'count', work.overdue),
      figure('repairHours', 'hours', work.hours, work.hoursBefore),
      figure('repaired', 'count', work.done, work.doneBefore),
      figure('alarms', 'count', alarms.lasting),
      figure('stake', 'fen', alarms.stake),
    ],
    trend: await dailyTrend(db, shown, {
      name: 'alarmsByDay',
      unit: 'count',
      query: sql`select ${dayOf(sql`a.opened_at`)} as day, count(*) as value from alarm a
        where a.opened_at >= ${month} and ${ours('a.merchant_id')} group by 1`,
    }),
    rankings: [
      {
        ...causes,
        rows: causes.rows.map((row) => ({ ...row, label: word(language, 'alarm', `cause.${row.label}`) })),
      },
      unnamed(
        await ranking(
          db,
          'machinesBroken',
          'count',
          sql`select m.name as label, count(*) as value from alarm a join machine m on m.id = a.machine_id
          where a.opened_at >= ${month} and a.level <> 'notice' and ${ours('a.merchant_id')}
          group by m.id order by 2 desc, 1 limit 8`,
        ),
        shown,
      ),
    ],
  }
}

/** From being written down to being done, on average. */
const repairHours = (which: ReturnType<typeof sql>) =>
  sql`round((avg(extract(epoch from r.done_at - r.created_at)) filter (where ${which}) / 3600)::numeric, 1)::float8`
