import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { numberNoted } from '../../server/src/features/events/log.store'
import { openLanes } from '../../server/src/features/events/webhook.lanes'
import { SECRET_PREFIX } from '../../server/src/features/events/webhook.rules'
import type { Reader, Services } from '../../server/src/kernel/context'
import { seal } from '../../server/src/kernel/seal'
import { type Bench, digits, type Line } from './kit/figure'
import { makeNetwork } from './kit/network'
import { timed } from './kit/rounds'
import { servicesOn } from './kit/sales'

const RECEIVERS = 100
/** Of so many, half do not listen at all and half take all the time that they are given. */
const BAD = 10
/** What happens to one thing is told in its order. */
const EVENTS_OF_ONE = 4
const anywhere = { address: () => true, ip: () => true }

/** As many events as `--rows`, each for one of 100 webhooks: first all of them listen, then ten are dead or slow. */
export async function l1({ cluster, rows, say }: Bench): Promise<Line[]> {
  const fresh = await cluster.fresh('l1')
  const services = servicesOn(fresh.pool)
  await makeNetwork(fresh.pool.db, { merchants: RECEIVERS, machines: RECEIVERS, products: 1, slots: 1 })
  const receivers = await listen()
  const ids = await addWebhooks(services, receivers.port)
  const half = Math.floor(rows / 2 / RECEIVERS) * RECEIVERS
  const alone = await tell(services, receivers, { ids, events: half, bad: 0, say })
  const beside = await tell(services, receivers, { ids, events: half, bad: BAD, say })
  const kept = await keptIn(fresh.pool.db)
  await receivers.close()
  await fresh.close()
  const line = (what: string, ours: string, more: Partial<Line> = {}): Line => ({
    id: 'L1',
    what,
    ours,
    anchor: '',
    value: null,
    unit: '',
    goal: null,
    ...more,
  })
  return [
    line('events told to 100 webhooks', `${digits(alone.rate)} events/s`),
    line('events told to 90 while ten are dead or slow', `${digits(beside.rate)} events/s`, {
      anchor: `to 90 of 100 that all listen ${digits(alone.rate)} events/s`,
      value: beside.rate / alone.rate,
      unit: '×',
      goal: { atLeast: 0.8 },
    }),
    line(
      'between the first and the last of 90 receivers that had heard everything, of the whole time',
      `${digits(beside.spread * 100)} %`,
    ),
    line('told out of order, or lost', `${receivers.disordered() + kept.lost}`, {
      value: receivers.disordered() + kept.lost,
      goal: { atMost: 0 },
      note: `${digits(kept.told)} told, ${digits(kept.waiting)} wait for receivers that are dead or slow`,
    }),
  ]
}

type Receivers = Awaited<ReturnType<typeof listen>>

/** One server for all of them, by path: it counts what each heard, and holds it against the order of its thing. */
async function listen() {
  const heard = new Map<number, number>()
  const last = new Map<string, number>()
  let disordered = 0
  let slow = new Set<number>()
  const server = createServer((request, response) => {
    const id = Number(request.url?.slice(1))
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      if (slow.has(id)) return
      const { object, data } = JSON.parse(body) as { object: string; data: { step: number } }
      if (data.step < (last.get(object) ?? 0)) disordered += 1
      last.set(object, data.step)
      heard.set(id, (heard.get(id) ?? 0) + 1)
      response.end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    heardBy: (id: number) => heard.get(id) ?? 0,
    disordered: () => disordered,
    slowDown: (ids: readonly number[]) => {
      slow = new Set(ids)
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    },
  }
}

/** One a merchant. @returns their ids, which are their receivers' paths too */
async function addWebhooks({ db, keys }: Services, port: number): Promise<number[]> {
  const made = await sql<{ id: number }>`
    with config as (
      insert into integration_config (merchant_id, parent_class, child_class, interface_type, contract_number,
        created_at)
      select id, 'erp', 'event_feed', 'push', 'C-' || id, now() from merchant where id > 100 returning id),
    hooks as (
      insert into webhook_endpoint (config_id, address, secret, created_at)
      select id, 'http://127.0.0.1', '', now() from config returning id)
    select id from hooks order by id`.execute(db)
  const ids = made.rows.map(({ id }) => id)
  await sql`update integration_config set state = 'enabled', secret_set_at = now(), secret = ''`.execute(db)
  const secret = SECRET_PREFIX + Buffer.alloc(32, 5).toString('base64')
  for (const id of ids) {
    await sql`update webhook_endpoint set address = ${`http://127.0.0.1:${port}/${id}`},
      secret = ${seal(keys, `webhook:${id}`, secret)} where id = ${id}`.execute(db)
  }
  return ids
}

type Round = { ids: readonly number[]; events: number; bad: number; say: Bench['say'] }

/** @returns events a second of those that listen; `spread`: the part of the time between the first and the last end */
async function tell(services: Services, receivers: Receivers, { ids, events, bad, say }: Round) {
  const [wrong, good] = [ids.slice(0, bad), ids.slice(bad)]
  const dead = wrong.slice(0, bad / 2)
  receivers.slowDown(wrong.slice(bad / 2))
  // Nothing listens at the discard port.
  await sql`update webhook_endpoint set address = 'http://127.0.0.1:9/' where id = any(${dead})`.execute(services.db)
  await sql`insert into event_noted (merchant_id, kind, object, occurred_at, data)
    select 101 + n % ${RECEIVERS}::int, 'order.paid', ${bad}::text || ':' || n % ${RECEIVERS}::int || ':'
      || n / ${RECEIVERS * EVENTS_OF_ONE}::int, now(), jsonb_build_object('step', n)
    from generate_series(0, ${events - 1}::int) n`.execute(services.db)
  await numberNoted(services)
  await sql`analyze webhook_delivery, event_log`.execute(services.db)
  say(`${digits(events)} events are numbered`)
  const each = events / RECEIVERS
  const before = new Map(good.map((id) => [id, receivers.heardBy(id)]))
  const isDone = (id: number) => receivers.heardBy(id) - (before.get(id) ?? 0) >= each
  const lanes = openLanes(services, anywhere)
  let firstDone = 0
  const startedMs = performance.now()
  const seconds = await timed(async () => {
    for (const id of ids) lanes.start(id)
    while (!good.every(isDone)) {
      await new Promise((done) => setTimeout(done, 50))
      if (firstDone === 0 && good.some(isDone)) firstDone = (performance.now() - startedMs) / 1000
    }
  })
  await lanes.stop()
  return { rate: (each * good.length) / seconds, spread: (seconds - firstDone) / seconds }
}

async function keptIn(db: Reader) {
  const found = await sql<{ told: number; waiting: number; lost: number }>`select
    count(*) filter (where d.state = 'delivered')::int as told,
    count(*) filter (where d.state = 'waiting')::int as waiting,
    (select count(*) from event_log)::int - count(*)::int as lost from webhook_delivery d`.execute(db)
  return found.rows[0] ?? { told: 0, waiting: 0, lost: 0 }
}
