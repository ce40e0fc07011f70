import {
  addFlowCard,
  bindFlowCard,
  getFlowCard,
  importFlowCards,
  isIccid,
  previewFlowCards,
  releaseFlowCard,
  removeFlowCard,
} from '@aisle/contract/fleet/flowCard'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { flowTroubles, takeFlow } from './flow.store'
import { writeTemplate } from './flowCard.import'
import { word } from '../../../kernel/words'
import { routes } from './flowCard'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants: ['flowCard.*'] })
  token = await addSession(world.services.db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
/** The nth number that checks itself. */
function iccid(n: number): string {
  const digits = `89860012345678${String(n).padStart(5, '0')}`
  return Array.from({ length: 10 }, (_, digit) => digits + String(digit)).find(isIccid) ?? ''
}
const add = async (n: number, more: Record<string, unknown> = {}) => {
  const made = await call(addFlowCard, {
    merchantId: family.ours.merchantId,
    iccid: iccid(n),
    carrier: 'cmcc',
    ...more,
  })
  return Number(made.data?.id)
}
const say = async (machineId: number, minute: number, usedMb: number) => {
  const at = new Date(NOON.getTime() + minute * 60_000)
  await world.services.db.transaction().execute((tx) => takeFlow(tx, [{ machineId, at, usedMb }]))
}
const machineId = (at: 0 | 1) => family.ours.machines[at]?.id ?? 0

test.each([
  ['89860012345678000006', false],
  ['8986001234567800000', false],
  ['898600', false],
  ['89310410106543789305', true],
  ['8931041010654378932', true],
  ['89310410106543789310', false],
])('%s is an ICCID: %s', (digits, wanted) => {
  expect(isIccid(digits)).toBe(wanted)
})

test('a counter becomes use: what it grew by, or all of it once it began anew; the first is the start', async () => {
  const id = await add(1)
  await call(bindFlowCard, { id, machineId: machineId(0) })
  await say(machineId(0), 0, 500)
  await say(machineId(0), 1, 512)
  await say(machineId(0), 2, 512)
  await say(machineId(0), 3, 3)
  expect((await call(getFlowCard, { id })).data).toMatchObject({ todayMb: 15, monthMb: 15, state: 'in_use' })
  // Sixteen o'clock UTC begins the next day of a machine in China, and here also the next month does not.
  await say(machineId(0), 13 * 60, 13)
  const { data } = await call(getFlowCard, { id })
  expect(data).toMatchObject({ todayMb: 15, monthMb: 25 })
  expect(data.days).toEqual([
    { day: '2026-11-21', usedMb: 10 },
    { day: '2026-11-20', usedMb: 15 },
  ])
})

test('a machine has one card; another counter counts nothing until it has been heard', async () => {
  const [one, two] = [await add(2), await add(3)]
  expect(await call(bindFlowCard, { id: one, machineId: machineId(1) })).toMatchObject({ status: 200 })
  expect(await call(bindFlowCard, { id: two, machineId: machineId(1) })).toMatchObject({
    code: 'flowCard.machineTaken',
  })
  expect(await call(removeFlowCard, { id: one })).toMatchObject({ code: 'flowCard.bound' })
  await say(machineId(1), 0, 100)
  await call(releaseFlowCard, { id: one })
  await call(bindFlowCard, { id: two, machineId: machineId(1) })
  await say(machineId(1), 1, 900)
  await say(machineId(1), 2, 901)
  expect((await call(getFlowCard, { id: one })).data).toMatchObject({ monthMb: 0, state: 'spare' })
  expect((await call(getFlowCard, { id: two })).data).toMatchObject({ monthMb: 1 })
  await call(releaseFlowCard, { id: two })
})

test('over its limit and near its end are troubles of the machine; a limit of 0 takes the machine’s own', async () => {
  const id = await add(4, { alarmMb: 20, expiresOn: '2026-12-01' })
  await call(bindFlowCard, { id, machineId: machineId(1) })
  await say(machineId(1), 0, 0)
  await say(machineId(1), 1, 25)
  const troubles = async () =>
    (await flowTroubles(world.services.db, NOON)).filter((each) => each.machineId === machineId(1))
  expect(await troubles()).toEqual([
    expect.objectContaining({ cause: 'flow_limit', facts: { iccid: iccid(4), usedMb: 25, limitMb: 20 } }),
    expect.objectContaining({ cause: 'flow_card_expiry', facts: expect.objectContaining({ days: 11 }) }),
  ])
  const own = (mb: number) => sql`update flow_card set alarm_mb = ${mb} where id = ${id}`.execute(world.services.db)
  await own(0)
  expect((await troubles()).map(({ cause }) => cause)).toEqual(['flow_card_expiry'])
  await sql`update machine set flow_alarm_mb = 25 where id = ${machineId(1)}`.execute(world.services.db)
  expect((await troubles()).map(({ cause }) => cause)).toEqual(['flow_limit', 'flow_card_expiry'])
  await call(releaseFlowCard, { id })
})

const sheet = (...lines: string[]) => ({
  merchantId: family.ours.merchantId,
  file: Buffer.from(['\ufeffICCID,运营商,machineCode,开通日期,expiresOn,planMb', ...lines].join('\n')).toString(
    'base64',
  ),
})

test('a sheet with one bad row imports nothing and says what is wrong with which cell', async () => {
  const code = family.theirs.machines[0]?.code ?? ''
  const bad = sheet(
    `${iccid(10)},中国移动,,2026/1/5,2028-12-31,1024`,
    `${iccid(10)},Mobile,${code},2026-02-30,,lots`,
    `${iccid(1)},cucc,,2026-05-01,2026-04-01,`,
  )
  const { data } = await call(previewFlowCards, { ...bad, language: 'en' })
  expect(data).toMatchObject({ rows: 3, good: 1 })
  const faults = (data.faults as { row: number; column: string; message: string }[]).map(
    ({ row, column, message }) => `${row} ${column}: ${message}`,
  )
  expect(faults.sort()).toEqual([
    '3 Carrier: Not one of the carriers',
    '3 ICCID: Twice in the sheet',
    '3 Machine code: No such machine in your sight',
    '3 Monthly plan (MB): Needs a whole number within its limits',
    '3 Opened: No valid day, such as 2028-12-31',
    '4 Expires: Before it is opened',
    '4 ICCID: Registered already',
  ])
  const before = await count()
  expect(await call(importFlowCards, bad)).toMatchObject({ status: 422, code: 'sheet.faulty' })
  expect(await count()).toBe(before)
})

test('a good sheet is imported whole, and the template can be read back in every language', async () => {
  const before = await count()
  const good = sheet(`${iccid(20)},电信,,,,`, `${iccid(21)},ctcc,,2026-01-05,2028-12-31,1024`)
  // 电信 alone is no word of ours.
  expect(await call(importFlowCards, good)).toMatchObject({ code: 'sheet.faulty' })
  const words = sheet(`${iccid(20)},中国电信,,,,`, `${iccid(21)},China Telecom,,2026-01-05,2028-12-31,1024`)
  expect(await call(importFlowCards, words)).toMatchObject({ status: 200, data: { added: 2 } })
  expect(await count()).toBe(before + 2)
  for (const language of ['zh', 'en', 'fr', 'ko'] as const) {
    const { dataBase64: file } = await writeTemplate(language)
    const { data } = await call(previewFlowCards, { merchantId: family.ours.merchantId, file, language })
    const t = (key: string) => word(language, 'fleet', key)
    // Its example is in no machine of ours, and nothing else is wrong with it.
    expect([language, data.rows, data.faults]).toEqual([
      language,
      1,
      [
        expect.objectContaining({ column: t('field.iccid') }),
        expect.objectContaining({ message: t('flowCard.fault.machineUnknown') }),
      ],
    ])
  }
})

async function count(): Promise<number> {
  const found = await sql<{ n: number }>`select count(*) as n from flow_card`.execute(world.services.db)
  return found.rows[0]?.n ?? 0
}
