import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { addUser } from '../../server/src/testing/fixtures'
import { makeReport } from '../../server/src/features/report/make'
import { routes } from '../../server/src/features/trade/order/order.routes'
import { type Bench, compared, digits, type Line, notMeasured } from './kit/figure'
import { inRotation, timed } from './kit/rounds'
import { servicesOn } from './kit/sales'

const MOST = 1_000_000
const COLUMNS = ['orderNo', 'machineCode', 'productNames', 'method', 'paidFen', 'paymentState', 'occurredAt']
const SAMPLE_MS = 20

/** A sheet of orders as the download centre makes it, beside PostgreSQL's own copy of the same rows as text. */
export async function p7a({ orders, rounds, say }: Bench): Promise<Line[]> {
  if (!(await hasPsql())) return [notMeasured('P7a', 'xlsx of a million rows', 'no psql on this machine')]
  const { pool, url } = await orders()
  const { db } = pool
  const dataDir = mkdtempSync(join(tmpdir(), 'aisle-p7a-'))
  const services = { ...servicesOn(pool), dataDir }
  const { id: userId } = await addUser(db, { merchantId: 1, kind: 'platform_admin', grants: ['*'] })
  const since = await sql<{ day: string; rows: number }>`
    select to_char(min(business_day), 'YYYY-MM-DD') as day, count(*)::int as rows
    from (select business_day from orders order by occurred_at desc limit ${sql.lit(MOST)}) newest`.execute(db)
  const { day = '', rows = 0 } = since.rows[0] ?? {}
  say(`a sheet of about ${rows.toLocaleString('en')} orders`)
  let most = 0
  const sheet = async () => {
    const made = await sql<{ id: number }>`insert into report_request
        (merchant_id, user_id, list, query, columns, format, language, requested_at, touched_at)
      values (1, ${userId}, 'trade.listOrders', ${JSON.stringify({ from: day })}, ${COLUMNS}::text[], 'xlsx', 'zh',
        now(), now()) returning id`.execute(db)
    globalThis.gc?.()
    const before = process.memoryUsage.rss()
    const sampling = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before)
    }, SAMPLE_MS)
    const seconds = await timed(() => makeReport(services, routes, made.rows[0]?.id ?? 0))
    clearInterval(sampling)
    return seconds
  }
  const copy = `\\copy (select o.order_no, m.code, (select string_agg(p.name, ' · ' order by i.index) from order_item i
    join product p on p.id = i.product_id where i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at
    and i.order_id = o.id), o.method, o.paid_fen, o.payment_state, o.occurred_at from orders o
    join machine m on m.id = o.machine_id where o.business_day >= '${day}') to '/dev/null' csv`
  try {
    const text = copy.replaceAll('\n', ' ')
    const measured = await inRotation({ anchor: () => timed(() => psql(url, text)), ours: sheet }, rounds)
    const what = `xlsx of ${rows.toLocaleString('en')} orders`
    const goal = { atMost: 3 }
    const megabytes = most / 2 ** 20
    return [
      compared({ id: 'P7a', what, beside: 'psql \\copy to csv', unit: 's', goal }, measured),
      {
        id: 'P7a',
        what: `memory while it is made`,
        ours: `${digits(megabytes)} MB more`,
        anchor: '',
        value: megabytes,
        unit: 'MB',
        goal: { atMost: 64 },
      },
    ]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function psql(url: string, command: string): Promise<void> {
  const child = spawn('psql', [url, '-qc', command], { stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('exit', (code) => (code === 0 ? done() : fail(new Error(`psql ended with ${code}`))))
  })
}

const hasPsql = () =>
  new Promise<boolean>((done) => {
    const child = spawn('psql', ['--version'], { stdio: 'ignore' })
    child.on('error', () => done(false))
    child.on('exit', (code) => done(code === 0))
  })
