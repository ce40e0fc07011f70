import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from '@playwright/test'
import { startStandIn } from '../../../fleet/src/provider/standIn'
import { besideServer } from '../../../server/src/testing/running'
import { issueCard, issueCodes } from '../../../server/src/testing/tenders'
import { query, type RunningServer } from './harness'
import { machinesOf, sellingSlot } from './machines'
import { numbersOf, type Stage } from './story'

/** A stage with a code to pick up for each playing, and what was told back to the partner, event by event. */
export type FullStage = Stage & {
  codes: string[]
  heard: { eventId: string; requestNo: string }[]
  close: () => Promise<void>
}

const SECRET = 'secret-of-a-shop-elsewhere'

/** @param playings codes are made for so many */
export async function openStage(server: RunningServer, playings: number): Promise<FullStage> {
  const { dataDir } = server.place
  const [config] = await query<{ id: number; code: string; merchantId: number }>(
    server,
    `select c.id, m.code, m.merchant_id as "merchantId" from integration_config c join machine m on m.id = c.machine_id
      where c.child_class = 'ship_request'`,
  )
  const machine = machinesOf(server).find(({ code }) => code === config?.code)
  if (!config || !machine) throw new Error('the demo has no machine that hands out for others')
  const slot = sellingSlot(machine)
  const file = JSON.parse(readFileSync(join(dataDir, 'demo/provider.json'), 'utf8'))
  // It says again at once what was not taken, and waits no quarter of a minute.
  const againMs = Array.from({ length: 400 }, () => 250)
  const provider = await startStandIn({ file, nowMs: Date.now, againMs })
  const heard: FullStage['heard'] = []
  const shop = createServer((request, response) => {
    void text(request).then((body) => {
      const { eventId, shipment } = JSON.parse(body) as { eventId: string; shipment: { requestNo: string } }
      heard.push({ eventId, requestNo: shipment.requestNo })
      response.end()
    })
  })
  await new Promise<void>((done) => shop.listen(0, '127.0.0.1', done))
  const address = shop.address()
  const shopPort = typeof address === 'object' && address ? address.port : 0

  const { services, raw, sealed, close } = besideServer(dataDir)
  const gateway = `case when provider = 'alipay' then $1 || '/gateway.do' else $1 end`
  await raw.query(`update provider_account set gateway = ${gateway}`, [provider.url])
  await raw.query(`update setting set value = to_jsonb($1::text) where key = 'site.address'`, [server.url])
  await raw.query(`update integration_config set interface_type = 'both', secret = $1, path = $2 where id = $3`, [
    sealed(`integration:${config.id}`, SECRET),
    `http://shop.elsewhere.example:${shopPort}/ship`,
    config.id,
  ])
  const { merchantId } = config
  const product = await raw.query(`select id from product where code = $1`, [slot.product])
  const codes = await issueCodes({ services }, { merchantId, content: [product.rows[0].id], count: playings })
  const card = await issueCard({ services }, { merchantId, balanceFen: 10_000_000 })
  await close()
  return {
    server,
    provider,
    machine,
    slot,
    cardNo: card.physicalNo,
    partner: { configId: config.id, secret: SECRET },
    device: null,
    codes: codes.codes,
    heard,
    close: async () => {
      await provider.stop()
      shop.closeAllConnections()
      await new Promise((done) => shop.close(done))
    },
  }
}

/** As if the time had passed after which what a dead process had in hand is taken up by the next one. */
export async function waitOutLeases({ server }: Stage): Promise<void> {
  await query(server, `update payment_attempt set queried_at = null where state in ('created', 'waiting', 'unknown')`)
  await query(server, `update refund set next_at = now() where state in ('refunding', 'unknown')`)
  await query(server, `update partner_callback set next_try_at = now() where state = 'waiting'`)
  for (const job of ['payment.askOverdue', 'refund.send', 'partner.sweep', 'refund.sweepWaiting']) {
    await query(server, `select graphile_worker.add_job($1, '{}'::json)`, [job])
  }
}

/** What the dead process had in hand is free again when the next one serves. */
export async function noJobOfTheDead({ server }: Stage, diedAt: Date): Promise<void> {
  const held = `select count(*)::int as jobs from graphile_worker._private_jobs where locked_at < $1`
  await expect.poll(() => query(server, held, [diedAt])).toEqual([{ jobs: 0 }])
}

const balanceOf = (stage: Stage) =>
  query<{ fen: number }>(
    stage.server,
    `select -b.balance_fen as fen from member_card c join ledger_account b on b.kind = 'card_liability'
      and b.merchant_id = c.merchant_id and b.key = c.id::text where c.physical_no = $1`,
    [stage.cardNo],
  ).then(([row]) => Number(row?.fen))

/** What a playing leaves behind, as it must be whatever broke on the way. */
export async function judge(stage: FullStage, round: string, playings: number): Promise<void> {
  const { slot, machine, server, provider } = stage
  const { cash, channel, code, card, request } = numbersOf(round)
  const rowsOf = (orderNo: string) =>
    query<Record<string, unknown>>(
      server,
      `select o.method, o.payment_state as paid, o.ship_state as shipped,
        (select count(*)::int from order_item i where i.order_id = o.id and i.state = 'dispensed') as out,
        (select count(*)::int from ledger_transfer t where t.kind = 'sale' and t.reference = o.id::text) as booked
      from orders o where o.order_no = $1`,
      [`${machine.code}-${orderNo}`],
    )
  const once = { out: 1, booked: 1 }
  // What a code or a partner pays for was paid elsewhere.
  const free = { out: 1, booked: 0 }
  expect(await rowsOf(cash)).toEqual([expect.objectContaining({ ...once, method: 'cash', paid: 'paid' })])
  expect(await rowsOf(code)).toEqual([expect.objectContaining({ ...free, method: 'pickup_code', paid: 'paid' })])
  expect(await rowsOf(card)).toEqual([expect.objectContaining({ ...once, method: 'member_card', paid: 'paid' })])
  expect(await rowsOf(channel)).toEqual([expect.objectContaining({ ...once, paid: 'partly_refunded' })])
  const asked = `select count(*)::int as requests, count(distinct order_no)::int as orders, min(order_no) as no
    from partner_request where request_no = $1`
  const [shipment] = await query<{ no: string }>(server, asked, [request])
  expect(shipment).toMatchObject({ requests: 1, orders: 1 })
  expect(await rowsOf(shipment?.no.slice(machine.code.length + 1) ?? '')).toEqual([expect.objectContaining(free)])
  // A repeated event bears the same id, so that the other side takes it once.
  expect(new Set(stage.heard.filter(({ requestNo }) => requestNo === request).map(({ eventId }) => eventId)).size).toBe(
    1,
  )

  const [refund, ...more] = await query<{ no: string; attempt: string; amount: number }>(
    server,
    `select r.refund_no as no, a.attempt_no as attempt, r.amount_fen as amount from refund r
      join payment_attempt a on a.id = r.attempt_id where r.order_no = $1 and r.state = 'refunded'`,
    [`${machine.code}-${channel}`],
  )
  expect(more).toEqual([])
  const trades = provider.trades().filter(({ no }) => no === refund?.attempt)
  expect(trades).toMatchObject([
    { state: 'paid', paidFen: 2 * slot.priceFen, refunds: [{ no: refund?.no, amountFen: slot.priceFen }] },
  ])
  expect(provider.trades().filter(({ state }) => state === 'paid')).toHaveLength(playings)
  const used = `select c.state, count(u.*)::int as uses, sum(u.extra)::int as extra from pickup_use u
    join pickup_code c on c.id = u.code_id where u.order_no = $1 group by c.state`
  expect(await query(server, used, [`${machine.code}-${code}`])).toEqual([
    { state: 'fully_shipped', uses: 1, extra: 0 },
  ])
  expect(await balanceOf(stage)).toBe(10_000_000 - playings * slot.priceFen)
}

/** The money that goes back is back, and the partner knows. @param isAfterDeath minutes pass that are not waited for */
export async function settled(stage: FullStage, round: string, isAfterDeath: () => boolean): Promise<void> {
  const { channel, request } = numbersOf(round)
  const isBack = `select state from refund where order_no = $1`
  const states = async () => {
    if (isAfterDeath()) await waitOutLeases(stage)
    return query<{ state: string }>(stage.server, isBack, [`${stage.machine.code}-${channel}`])
  }
  await expect.poll(states, { timeout: 60_000 }).toEqual([{ state: 'refunded' }])
  await expect.poll(() => stage.heard.some(({ requestNo }) => requestNo === request), { timeout: 60_000 }).toBe(true)
  await stage.provider.quiet()
  const waiting = `select count(*)::int as jobs from graphile_worker._private_jobs where run_at <= now()
    and attempts < max_attempts`
  await expect.poll(() => query(stage.server, waiting), { timeout: 60_000 }).toEqual([{ jobs: 0 }])
}
