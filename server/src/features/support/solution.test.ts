import { addRepairOrder } from '@aisle/contract/maintenance/repairOrder'
import * as feedback from '@aisle/contract/support/feedback'
import * as contract from '@aisle/contract/support/solution'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes as repairRoutes } from '../maintenance/maintenance.routes'
import { addFamily, addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { inserted } from '../../testing/inserted'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes as feedbackRoutes } from './feedback.routes'
import { routes } from './solution'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let writer: string
let fitter: string
let stranger: string
let alarmId: number
let machineCode: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...feedbackRoutes, ...repairRoutes))
  const { db } = world.services
  const { platformId, ours, theirs } = await addFamily(db, NOON)
  const signedIn = async (merchantId: number, kind: 'platform_admin' | 'merchant_admin') => {
    const grants = ['solution.*', 'feedback.*', 'repairOrder.*']
    return addSession(db, (await addUser(db, { merchantId, kind, grants })).id, NOON)
  }
  writer = await signedIn(platformId, 'platform_admin')
  fitter = await signedIn(ours.merchantId, 'merchant_admin')
  stranger = await signedIn(theirs.merchantId, 'merchant_admin')
  const [machine] = ours.machines
  if (!machine) throw new Error('a family has machines')
  machineCode = machine.code
  await sql`update machine set model = 'AT-6' where id = ${machine.id}`.execute(db)
  alarmId = await inserted(
    db,
    sql`insert into alarm (merchant_id, machine_id, cause, slot_code, facts, level, opened_at, seen_at)
      values (${ours.merchantId}, ${machine.id}, 'device', 'E12', '{"code":"E12, E40"}', 'warning', ${NOON}, ${NOON})`,
  )
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const does = async (endpoint: Parameters<HttpWorld['call']>[0], input: Record<string, unknown>, token = writer) =>
  (await http.call(endpoint, input, { token })).body
const add = async (more: Record<string, unknown>): Promise<number> => {
  const made = await does(contract.addSolution, { cause: 'device', steps: 'Turn it off and on.', ...more })
  return (made.data as { id: number }).id
}
const namesIn = async (endpoint: Parameters<HttpWorld['call']>[0], id: number, token = fitter) =>
  ((await does(endpoint, { id }, token)).data as { items: { name: string }[] }).items.map(({ name }) => name)

test('a fault shows what is known of it: by cause, the machine’s own code and model, most special first', async () => {
  await add({ name: '重启主控板' })
  await add({ name: '更换掉货检测', code: 'E40', model: 'AT-6' })
  await add({ name: '别的代码', code: 'E1' })
  await add({ name: '别的型号', model: 'AT-9' })
  await add({ name: '卡货处理', cause: 'jam' })
  expect(await namesIn(contract.listAlarmSolutions, alarmId)).toEqual(['更换掉货检测', '重启主控板'])
  const made = await does(addRepairOrder, { machineCode, problem: 'broken', alarmId }, fitter)
  expect(await namesIn(contract.listRepairOrderSolutions, (made.data as { id: number }).id)).toHaveLength(2)
  const told = await does(feedback.addFeedback, { kind: 'problem', body: 'It jams again.' }, fitter)
  const { id } = told.data as { id: number }
  expect(await namesIn(contract.listFeedbackSolutions, id)).toEqual([])
  await does(feedback.classifyFeedback, { id, kind: 'problem', fault: 'jam' })
  expect(await namesIn(contract.listFeedbackSolutions, id)).toEqual(['卡货处理'])
})

test.each(['掉货', 'diaohuo', 'ghdh', 'e40'])('%s finds a solution', async (q) => {
  const found = (await does(contract.listSolutions, { q }, fitter)).data as { items: { name: string }[] }
  expect(found.items.map(({ name }) => name)).toEqual(['更换掉货检测'])
})

test('whether it helped is counted once a person and case, however often it is sent at once', async () => {
  const solutionId = await add({ name: '清洁传感器', code: 'E12' })
  const verdict = { id: alarmId, solutionId, helped: true }
  const all = Array.from({ length: 64 }, () => does(contract.judgeAlarmSolution, verdict, fitter))
  const codes = (await Promise.all(all)).map(({ code }) => code)
  expect(codes.filter((code) => code === 'H0000')).toHaveLength(1)
  expect((await does(contract.judgeAlarmSolution, { ...verdict, helped: false }, fitter)).code).toBe('solution.said')
  expect((await does(contract.judgeAlarmSolution, { ...verdict, helped: false }, writer)).code).toBe('H0000')
  expect((await does(contract.getSolution, { id: solutionId })).data).toMatchObject({ helped: 1, notHelped: 1 })
  expect((await does(contract.removeSolution, { id: solutionId })).code).toBe('request.inUse')
  expect((await does(contract.stopSolution, { id: solutionId })).code).toBe('H0000')
  expect(await namesIn(contract.listAlarmSolutions, alarmId)).not.toContain('清洁传感器')
})

test('who does not see the case neither reads nor judges there, and only the platform writes', async () => {
  const solutionId = await add({ name: '检查电源' })
  expect((await does(contract.listAlarmSolutions, { id: alarmId }, stranger)).code).toBe('request.notFound')
  const verdict = { id: alarmId, solutionId, helped: true }
  expect((await does(contract.judgeAlarmSolution, verdict, stranger)).code).toBe('request.notFound')
  const typed = { name: '自写', cause: 'jam', steps: 'Pull.' }
  expect((await does(contract.addSolution, typed, fitter)).code).toBe('request.notFound')
  expect((await does(contract.addSolution, { ...typed, name: '检查电源' })).code).toBe('solution.taken')
})
