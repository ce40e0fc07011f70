import { createHash } from 'node:crypto'
import { getBoardSection, type SectionTab, sectionTabs } from '@aisle/contract/wallboard/section'
import { doGetTradeStatisticsOfToday } from '@aisle/contract/wallboard/board'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { openHttp, type HttpWorld } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { ingest } from '../device/link/ingest'
import { spoken } from '../device/testing'
import { routes } from './board.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const KEY = 'the-key-of-one-merchant-of-the-board'
let world: World
let http: HttpWorld
let ours: BuiltMachine
let merchantId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const root = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId: root })
  const other = await addMerchant(db, { parentId: root })
  await sql`insert into display_key (key_hash, merchant_id, name, created_at)
    values (${createHash('sha256').update(KEY).digest()}, ${merchantId}, 'Hall', ${NOON})`.execute(db)
  const build = async (of: number) =>
    addMachine(db, { merchantId: of, products: [await addProduct(db, { merchantId: of })], stock: 2 })
  ours = await build(merchantId)
  const theirs = await build(other)
  for (const [n, machine] of [ours, ours, theirs].entries()) {
    const items = [{ slot: 'A1', product: machine.slots[0]?.productCode ?? '', priceFen: 500, ok: true }]
    const told = { orderNo: `B-${n}`, method: 'cash', paidFen: 500, items }
    await ingest(world.services, [spoken(world, machine.code, n + 1, 'sale', told)])
  }
  for (const machine of [ours, theirs]) {
    await sql`insert into alarm (merchant_id, machine_id, cause, level, opened_at, seen_at, usual_fen_hour)
      values (${machine.merchantId}, ${machine.id}, 'offline', 'critical', ${new Date(NOON.getTime() - 7_200_000)},
        ${NOON}, 300)`.execute(db)
  }
  await sql`update machine set deployed_at = ${new Date(NOON.getTime() - 40 * 86_400_000)}
    where id = ${ours.id}`.execute(db)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

type Figures = Record<string, number | null>
async function section(tab: SectionTab) {
  const { status, body } = await http.call(getBoardSection, { tab, key: KEY })
  expect(status).toBe(200)
  const { figures, rankings, trend } = body.data as {
    figures: { name: string; value: number | null; before: number | null }[]
    rankings: { name: string; rows: { label: string; value: number }[] }[]
    trend: { values: number[] }
  }
  return {
    values: Object.fromEntries(figures.map(({ name, value }) => [name, value])) as Figures,
    before: Object.fromEntries(figures.map(({ name, before }) => [name, before])) as Figures,
    rows: Object.fromEntries(rankings.map(({ name, rows }) => [name, rows])),
    trend: trend.values,
  }
}

test('each tab counts the facts of the subtree of its key, and nobody else’s', async () => {
  const product = await section('product')
  expect(product.values).toMatchObject({ soldProducts: 1, pieces: 2, emptySlots: 1 })
  expect(product.rows.byAmount).toMatchObject([{ value: 1_000 }])
  expect(product.rows.byCity).toMatchObject([{ label: expect.stringMatching(/^杭州 · Product P\d+$/), value: 2 }])
  expect(product.trend.slice(-2)).toEqual([0, 2])
  const merchants = await section('merchant')
  expect(merchants.values).toMatchObject({ merchants: 1, selling: 1, soldMonth: 1_000 })
  const production = await section('production')
  expect(production.values).toMatchObject({ service: 1, deployed: 0, testsPassed: null })
  expect(production.before).toMatchObject({ deployed: 1 })
  const afterSales = await section('afterSales')
  expect(afterSales.values).toMatchObject({ alarms: 1, stake: 600, openWork: 0, repairHours: null })
  expect(afterSales.rows.causes).toMatchObject([{ value: 1 }])
  expect((await section('customer')).values).toMatchObject({ members: 0, cardsUsed: 0, cardsReturning: null })
})

test('another program is told of today by method, the counts before the amounts', async () => {
  const told = await http.call(doGetTradeStatisticsOfToday, { key: KEY })
  expect(JSON.stringify(told.body.data)).toMatch(/count.*2.*amount.*10/)
})

test('the newest version is the one last sent to these machines, not one that nobody was sent yet', async () => {
  const { db } = world.services
  const addPackage = async (version: string, at: Date) => {
    const added = await sql<{ id: number }>`insert into app_package (merchant_id, version, url, sha256, created_at)
      values (${merchantId}, ${version}, 'https://example.com/app', ${'0'.repeat(64)}, ${at}) returning id`.execute(db)
    return added.rows[0]?.id ?? 0
  }
  const sent = await addPackage('3.8.2', new Date(NOON.getTime() - 86_400_000))
  await addPackage('3.9.0', NOON)
  await sql`update machine_state set app_version = '3.8.2' where machine_id = ${ours.id}`.execute(db)
  expect((await section('production')).values.newestVersion).toBeNull()
  await sql`with added as (
      insert into rollout (merchant_id, package_id, reason, waves, failure_limit_percent, created_at)
      values (${merchantId}, ${sent}, 'Payments fail less often', array[100], 5, ${NOON}) returning id)
    insert into rollout_machine (rollout_id, machine_id, wave) select id, ${ours.id}, 1 from added`.execute(db)
  expect((await section('production')).values.newestVersion).toBe(1)
})

test('thirty days are those of the columns beside them: today and the twenty-nine before', async () => {
  const { db } = world.services
  const daysAgo = (days: number) => new Date(NOON.getTime() - days * 86_400_000)
  for (const days of [29, 30]) {
    await sql`insert into alarm (merchant_id, machine_id, cause, level, opened_at, seen_at, state, closed_at)
      values (${merchantId}, ${ours.id}, 'jam', 'warning', ${daysAgo(days)}, ${NOON}, 'closed', ${NOON})`.execute(db)
  }
  const { rows, trend } = await section('afterSales')
  const sum = (values: number[]) => values.reduce((whole, value) => whole + value, 0)
  expect(sum(trend)).toBe(2)
  expect(sum((rows.causes ?? []).map(({ value }) => value))).toBe(2)
})

test('a board without a key shows nothing unless the platform opened it', async () => {
  for (const tab of sectionTabs) {
    const { status, body } = await http.call(getBoardSection, { tab })
    expect([status, body.code]).toEqual([403, 'wallboard.closed'])
  }
})
