import { importMachines, getImportTemplate, previewMachineImport } from '@aisle/contract/fleet/machineImport'
import { writeXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant } from '../../../testing/builders'
import { addFamily, addSession, addUser, type Branch } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { routes } from './import.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let ours: Branch
let token: string
let names: { merchant: string; point: string; theirPoint: string }

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const family = await addFamily(db, NOON)
  ours = family.ours
  const user = await addUser(db, { merchantId: ours.merchantId, grants: ['machine.write'] })
  token = await addSession(db, user.id, NOON)
  const found = await sql<{ merchant: string }>`select code as merchant from merchant
    where id = ${ours.merchantId}`.execute(db)
  await sql`insert into point (merchant_id, name, kind, province, city, address, longitude, latitude)
    values (${ours.merchantId}, 'East hall', 'store', '浙江', '杭州', '', 120, 30),
      (${family.theirs.merchantId}, 'West hall', 'store', '浙江', '杭州', '', 120, 30)`.execute(db)
  names = { merchant: found.rows[0]?.merchant ?? '', point: 'East hall', theirPoint: 'West hall' }
})
afterAll(async () => {
  await http.close()
  await world.close()
})

type Json = Record<string, unknown>
const head = 'code,name,merchant,point,category,layers,slotsPerLayer,temperatureMinC,temperatureMaxC'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const sheet = (...rows: string[]) => base64([head, ...rows].join('\r\n'))
const send = async (endpoint: Parameters<HttpWorld['call']>[0], file: string) => {
  const { status, body } = await http.call(endpoint, { file, language: 'en' }, { token, headers: {} })
  return { status, code: body.code, data: (body.data ?? {}) as Json }
}
const machines = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from machine where code like 'IMP%'`.execute(world.services.db))
    .rows[0]?.n

test('each fault of a row is told by its column, and nothing of a faulty sheet is imported', async () => {
  const good = `IMP001,One,${names.merchant},${names.point},drink,2,3,,`
  const file = sheet(
    good,
    `IMP001,Twice,${names.merchant},${names.point},drink,2,3,,`,
    `bad code,,${names.merchant},${names.theirPoint},robot,0,11,9,3`,
    `IMP002,Two,NOBODY,${names.point},drink,1,1,,`,
  )
  const seen = await send(previewMachineImport, file)
  expect([seen.status, seen.data.rows, seen.data.good]).toEqual([200, 4, 1])
  const faults = (seen.data.faults as { row: number; column: string }[]).map(({ row, column }) => `${row} ${column}`)
  expect(faults).toEqual([
    '3 Machine code',
    '4 Machine code',
    '4 Machine name',
    '4 Category',
    '4 Layers',
    '4 Slots per layer',
    '4 Location',
    '5 Merchant',
  ])
  const refused = await send(importMachines, file)
  expect([refused.status, refused.code, await machines()]).toEqual([422, 'sheet.faulty', 0])
})

test('of many faults the first are told and all are counted, and a long code is not told whole for each', async () => {
  const wrong = Array.from({ length: 300 }, (_, at) => `IMP${at},,${names.merchant},${names.point},robot,1,1,,`)
  const { data } = await send(previewMachineImport, sheet(`${'x'.repeat(5_000)},,,,,,,,`, ...wrong))
  const faults = data.faults as { row: number; code: string; column: string; message: string }[]
  expect([data.rows, data.good, data.faultCount, faults.length]).toEqual([301, 0, 606, 200])
  expect([...new Set(faults.map(({ code }) => code.length))].toSorted((a, b) => b - a)).toEqual([60, 5, 4])
  expect(faults.slice(6, 8).map(({ row, column, message }) => `${row} ${column}: ${message}`)).toEqual([
    '3 Machine name: This is required',
    '3 Category: Choose one of the values offered',
  ])
})

test('a stopped location takes no machines by a sheet either, and a name of several merchants is none', async () => {
  const { db } = world.services
  await sql`insert into point (merchant_id, name, kind, province, city, address, longitude, latitude, state)
    values (${ours.merchantId}, 'Old hall', 'store', '浙江', '杭州', '', 120, 30, 'stopped')`.execute(db)
  for (const _ of [1, 2]) {
    const id = await addMerchant(db, { parentId: ours.merchantId })
    await sql`update merchant set name = 'Twins' where id = ${id}`.execute(db)
  }
  const file = sheet(`IMP201,One,${names.merchant},Old hall,drink,2,3,,`, `IMP202,Two,Twins,${names.point},drink,2,3,,`)
  const { faults } = (await send(previewMachineImport, file)).data as { faults: { row: number; message: string }[] }
  expect(faults.map(({ row, message }) => `${row} ${message}`)).toEqual([
    '2 This location is stopped and takes no more machines',
    '3 Several merchants have this name: write the merchant’s code',
  ])
})

test('a sheet of a spreadsheet program in Chinese becomes machines with slots, each with a secret', async () => {
  const rows = [
    ['机器编号 *', '机器名称', '商户', '点位', '类别', '层数', '每层货道数', '售药资质', '生产日期'],
    ['IMP101', '一号', names.merchant, names.point, '售药机', 2, 5, '零售（仅乙类非处方药）', new Date('2026-05-01')],
    ['IMP102', '二号', names.merchant, names.point, 'snack', '6', 8, '', ''],
  ]
  const file = Buffer.from(await writeXlsx({ sheets: [{ name: 'x', rows }] })).toString('base64')
  const made = await send(importMachines, file)
  expect(made.status).toBe(200)
  expect((made.data.machines as Json[]).map(({ code, secret }) => [code, String(secret).length])).toEqual([
    ['IMP101', 43],
    ['IMP102', 43],
  ])
  const kept =
    await sql<Json>`select m.code, m.licence_mode as licence, m.manufactured_on as made, s.slot_count as slots
    from machine m join machine_state s on s.machine_id = m.id where m.code like 'IMP1%' order by m.code`.execute(
      world.services.db,
    )
  expect(kept.rows).toEqual([
    { code: 'IMP101', licence: 'retail', made: '2026-05-01', slots: 10 },
    { code: 'IMP102', licence: 'none', made: null, slots: 48 },
  ])
})

test('what is no sheet, has other columns or nothing in it is refused', async () => {
  const codes = []
  for (const text of ['PK\u0003\u0004 rubbish', 'a,b\r\n1,2', head, '\u0000\u0001'])
    codes.push((await send(previewMachineImport, base64(text))).code)
  expect(codes).toEqual(['sheet.unreadable', 'sheet.columns', 'sheet.empty', 'sheet.columns'])
  const empty = await http.call(getImportTemplate, { language: 'fr' }, { token })
  const { dataBase64 } = empty.body.data as { dataBase64: string }
  expect((await send(previewMachineImport, dataBase64)).code).toBe('sheet.empty')
})
