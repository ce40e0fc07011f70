import { putLimit, removeLimit } from '@aisle/contract/medicine/limit'
import type { MessageData } from '@aisle/contract/device/messages'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { medicine } from '../../medicine/manifest'
import { DAY_MS, ID_NUMBER, NOON, openPharmacy, type Pharmacy } from '../../pharmacy/testing'
import { contradictions } from '../../trade/recount'
import { sweepWaiting } from '../../trade/sale/vend.commands'
import { ingest } from '../link/ingest'
import { spoken } from '../testing'

let pharmacy: Pharmacy
let http: HttpWorld
let other: BuiltMachine
let retail: BuiltMachine
let seq = 0
let week = 0

beforeAll(async () => {
  pharmacy = await openPharmacy()
  const { db, merchantId, products, hospital, world } = pharmacy
  await sql`select ensure_partitions('2026-11-01', '2027-06-01')`.execute(db)
  http = await openHttp(world, routesWith(...(medicine.routes ?? [])))
  other = await hospital()
  retail = await addMachine(db, { merchantId, products, licenceMode: 'retail', stock: 10 })
  const id = products[2]?.id
  await sql`insert into medicine (product_id, limit_group, min_age) values (${id}, 'ephedrine', 18)`.execute(db)
})
afterAll(async () => {
  await http.close()
  await pharmacy.close()
})
beforeEach(() => {
  week += 1
  pharmacy.world.setNow(new Date(NOON.getTime() + week * 14 * DAY_MS))
})

const say = (machine: BuiltMachine, type: string, content: Record<string, unknown>) => {
  seq += 1
  return ingest(pharmacy.world.services, [spoken(pharmacy.world, machine.code, seq, type, content)])
}
const adult = { idNumber: ID_NUMBER, age: 40 }
type Asking = Partial<MessageData<'order.request'>> & { packs?: number }

const ask = async (orderNo: string, { packs = 1, ...more }: Asking = {}, machine = pharmacy.machine) => {
  const items = Array.from({ length: packs }, () => ({ slot: 'A3' }))
  const { replies } = await say(machine, 'order.request', { orderNo, method: 'wechat', items, ...more })
  const answer = replies[0]?.answer
  return answer && 'refused' in answer ? answer.refused : 'quoted'
}
const setInRetail = (isOn: boolean) =>
  sql`insert into setting (key, merchant_id, value) values ('medicine.limitedInRetail', null, ${JSON.stringify(isOn)})
    on conflict (key, merchant_id) do update set value = excluded.value`.execute(pharmacy.db)

test('limited medicine is sold to whoever showed a document, so many packs over all machines', async () => {
  expect(await ask('C-0')).toBe('personMissing')
  expect(await ask('C-1', { person: { ...adult, age: 17 } })).toBe('personTooYoung')
  expect(await ask('C-2', { person: adult })).toBe('quoted')
  expect(await ask('C-3', { person: adult, packs: 2 }, other)).toBe('limitReached')
  expect(await ask('C-4', { person: adult }, other)).toBe('quoted')
  expect(await ask('C-5', { person: adult })).toBe('limitReached')
  expect(await ask('C-6', { person: { idNumber: '330106199003076578', age: 36 } })).toBe('quoted')
  pharmacy.world.setNow(new Date(pharmacy.world.services.clock.now().getTime() + 7 * DAY_MS))
  expect(await ask('C-7', { person: adult })).toBe('quoted')
})

test('what was never paid or hung in the machine is free again; what nobody knows of is not', async () => {
  expect(await ask('F-1', { person: adult, packs: 2 })).toBe('quoted')
  await say(pharmacy.machine, 'pay.result', { orderNo: 'F-1', method: 'wechat', amountFen: 1000, channelNo: 'WF-1' })
  const result = { orderNo: 'F-1', slot: 'A3' }
  await say(pharmacy.machine, 'vend.result', { ...result, index: 0, ok: true, motorCode: '100', sensorCode: '01' })
  await say(pharmacy.machine, 'vend.result', { ...result, index: 1, ok: false, motorCode: '102', sensorCode: '03' })
  expect(await ask('F-2', { person: adult, packs: 2 }, other)).toBe('limitReached')
  expect(await ask('F-3', { person: adult }, other)).toBe('quoted')
  const later = new Date(pharmacy.world.services.clock.now().getTime() + 6 * 60_000)
  pharmacy.world.setNow(later)
  await pharmacy.db.transaction().execute((tx) => sweepWaiting(tx, later))
  expect(await ask('F-4', { person: adult }, other)).toBe('quoted')
  expect(await contradictions(pharmacy.db)).toEqual([])
})

test('a shop sells none of it as shipped, and to a checked person where the platform says so', async () => {
  expect(await ask('R-1', { person: adult }, retail)).toBe('limitedNotSold')
  await setInRetail(true)
  expect(await ask('R-2', {}, retail)).toBe('personMissing')
  expect(await ask('R-3', { person: adult }, retail)).toBe('quoted')
  await setInRetail(false)
})

test('of the document nothing is kept but its keyed hash', async () => {
  await ask('K-1', { person: { idNumber: 'PASSPORT-777', age: 40 } })
  const kept = await sql<{ text: string }>`
    select coalesce(string_agg(t.text, ' '), '') as text from (
      select d::text as text from device_message d union all select d::text from device_event d
      union all select d::text from device_refusal d union all select o::text from orders o
      union all select t::text from real_name_take t union all select a::text from audit_log a) t`.execute(pharmacy.db)
  expect(kept.rows[0]?.text).not.toContain('PASSPORT-777')
  const people = await sql<{ n: number }>`select count(*)::int as n from real_name_person`.execute(pharmacy.db)
  expect(people.rows[0]?.n).toBeGreaterThan(0)
})

test('a merchant may be stricter than the platform and never looser; the stricter of both holds', async () => {
  const { merchantId, platformId, db } = pharmacy
  const now = pharmacy.world.services.clock.now()
  const grants = ['medicine.*']
  const user = await addUser(db, { merchantId, grants })
  const admin = await addUser(db, { merchantId: platformId, kind: 'platform_admin', grants })
  const token = await addSession(db, user.id, now)
  const platform = await addSession(db, admin.id, now)
  const put = async (as: string, rule: Record<string, unknown>) => {
    const { status, body } = await http.call(putLimit, { limitGroup: 'ephedrine', ...rule }, { token: as })
    return [status, body.code, (body.data as { id?: number } | undefined)?.id] as const
  }
  expect((await put(token, { merchantId, packs: 3, days: 7 }))[1]).toBe('limit.looser')
  expect((await put(token, { merchantId, packs: 2, days: 6 }))[1]).toBe('limit.looser')
  expect((await put(token, { packs: 9, days: 7 }))[1]).toBe('limit.platformOnly')
  expect((await put(token, { merchantId: pharmacy.strangerId, packs: 1, days: 7 }))[1]).toBe('request.notFound')
  const [status, , id] = await put(token, { merchantId, packs: 1, days: 7 })
  expect(status).toBe(200)
  expect(await ask('S-1', { person: adult, packs: 2 })).toBe('limitReached')
  expect(await ask('S-2', { person: adult })).toBe('quoted')
  // The platform becomes stricter in days than the merchant is.
  expect((await put(platform, { packs: 2, days: 10 }))[0]).toBe(200)
  pharmacy.world.setNow(new Date(now.getTime() + 8 * DAY_MS))
  expect(await ask('S-3', { person: adult })).toBe('limitReached')
  const again = await addSession(db, user.id, pharmacy.world.services.clock.now())
  expect((await http.call(removeLimit, { id }, { token: again })).status).toBe(200)
  expect(await ask('S-4', { person: adult })).toBe('quoted')
})
