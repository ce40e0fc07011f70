import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getBell, getPendingReviews, saveOwnPush } from '@aisle/contract/notice/bell'
import { getAlarmMessage, listAlarmLog } from '@aisle/contract/notice/alarmLog'
import {
  addMessageType,
  editMessageType,
  listMessageTypes,
  type MessageType,
  switchTypeOff,
  switchTypeOn,
} from '@aisle/contract/notice/messageType'
import {
  clearPushSetting,
  getPushSettings,
  type PushSetting,
  savePushSetting,
} from '@aisle/contract/notice/pushSetting'
import { quietHours } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { notify, type Notify } from './notify.commands'
import { dataOf, NOON, openPlace, type Place, type Somebody, somebody } from './testing'

let place: Place
let admin: Somebody
let ourAdmin: Somebody
let ourNight: Somebody
let belowAdmin: Somebody

beforeAll(async () => {
  place = await openPlace()
  admin = await somebody(place, place.platform.id, { kind: 'platform_admin' })
  ourAdmin = await somebody(place, place.ours.id, { phone: '13812345678', email: 'shen@example.com' })
  ourNight = await somebody(place, place.ours.id, { kind: 'ordinary', phone: '13900000000' })
  belowAdmin = await somebody(place, place.below.id, { phone: '13700000000' })
})
beforeEach(async () => {
  place.world.setNow(NOON)
  await sql`delete from outbox_message`.execute(place.world.services.db)
})
afterAll(() => place.close())

const vars = { machine: 'HZ-001', condition: 'too warm', at: '12:00' }
const alarm = (more: Partial<Notify> = {}) =>
  notify(place.world.services.db, { type: 'alarm.machine', merchantId: place.ours.id, vars, at: NOON, ...more })
type Sent = { userId: number; channel: string; title: string; goes: string }
async function sent(): Promise<string[]> {
  const found = await sql<Sent>`select user_id as "userId", channel, title,
    to_char(next_try_at at time zone 'Asia/Shanghai', 'HH24:MI') as goes from outbox_message order by id`.execute(
    place.world.services.db,
  )
  const names = new Map([
    [admin.id, 'admin'],
    [ourAdmin.id, 'our'],
    [ourNight.id, 'night'],
    [belowAdmin.id, 'below'],
  ])
  return found.rows.map(({ userId, channel, goes }) => `${names.get(userId)} ${channel} ${goes}`)
}
const typeOf = async (code: string) => {
  const found = dataOf<OutputOf<typeof listMessageTypes>>(await admin.call(listMessageTypes, { q: code }))
  return found.items.find((each) => each.code === code) as MessageType
}
const settingOf = async (who: Somebody, code: string) =>
  dataOf<OutputOf<typeof getPushSettings>>(await who.call(getPushSettings)).settings.find(
    (each) => each.code === code,
  ) as PushSetting

test('without a push setting the administrators of the merchant are told by the channels of the type', async () => {
  await alarm()
  expect(await sent()).toEqual(['our web 12:00', 'our sms 12:00'])
  const bell = dataOf<OutputOf<typeof getBell>>(await ourAdmin.call(getBell))
  expect(bell).toMatchObject({ unread: 1, items: [{ title: 'HZ-001：too warm', type: 'alarm.machine' }] })
})

test('people that are named are told instead, and each once for one reference', async () => {
  await alarm({ userIds: [ourNight.id], reference: 'test:1' })
  await alarm({ userIds: [ourNight.id, ourAdmin.id], reference: 'test:1' })
  expect(await sent()).toEqual(['night web 12:00', 'night sms 12:00', 'our web 12:00', 'our sms 12:00'])
})

test('a push setting says who and how, also for merchants below that have none', async () => {
  const { typeId, version } = await settingOf(ourAdmin, 'alarm.machine')
  const rule = { typeId, version, channels: ['email', 'web'], roleIds: [], organisationIds: [] }
  expect(version).toBe(0)
  dataOf(await ourAdmin.call(savePushSetting, { ...rule, userIds: [ourAdmin.id] }))
  expect(await settingOf(belowAdmin, 'alarm.machine')).toMatchObject({ source: 'above', version: 0 })
  await alarm({ merchantId: place.below.id })
  expect(await sent()).toEqual(['our email 12:00', 'our web 12:00'])
  const stale = await ourAdmin.call(savePushSetting, { ...rule, userIds: [ourNight.id] })
  expect([stale.status, stale.body.code]).toEqual([409, 'edit.stale'])
  dataOf(await ourAdmin.call(clearPushSetting, { typeId }))
  expect(await settingOf(ourAdmin, 'alarm.machine')).toMatchObject({ source: 'type' })
})

test("nobody of another merchant is named in a merchant's setting", async () => {
  const { typeId } = await settingOf(ourAdmin, 'alarm.machine')
  const rule = { typeId, version: 0, channels: ['web'], roleIds: [], organisationIds: [] }
  const foreign = await ourAdmin.call(savePushSetting, { ...rule, userIds: [belowAdmin.id] })
  expect(foreign.body.code).toBe('pushSetting.target')
  const nobody = await ourAdmin.call(savePushSetting, { ...rule, userIds: [] })
  expect(nobody.body.code).toBe('pushSetting.target')
})

test('in quiet hours what can wait waits them out, but for the bell; a person’s own hours come first', async () => {
  const { db } = place.world.services
  const hours = JSON.stringify({ from: '11:00', to: '13:30' })
  await sql`insert into setting (key, merchant_id, value)
    values (${quietHours.key}, ${place.ours.id}, ${hours}::jsonb)`.execute(db)
  await ourNight.call(saveOwnPush, { mutedTypeIds: [], quiet: { from: '12:00', to: '20:00' } })
  await alarm({ userIds: [ourAdmin.id, ourNight.id] })
  await alarm({ userIds: [ourAdmin.id], type: 'alarm.system', vars: { name: 'Backup', detail: 'late', at: '12:00' } })
  expect(await sent()).toEqual([
    'our web 12:00',
    'our sms 13:30',
    'night web 12:00',
    'night sms 20:00',
    'our web 12:00',
    'our sms 12:00',
  ])
  await ourNight.call(saveOwnPush, { mutedTypeIds: [], quiet: null })
  await sql`delete from setting where key = ${quietHours.key}`.execute(db)
})

test('a person mutes what can wait, and nothing else', async () => {
  const mutedTypeIds = [(await typeOf('alarm.machine')).id, (await typeOf('alarm.system')).id]
  expect(dataOf(await ourNight.call(saveOwnPush, { mutedTypeIds, quiet: null }))).toEqual({ muted: 1 })
  await alarm({ userIds: [ourNight.id] })
  await alarm({ userIds: [ourNight.id], type: 'alarm.system' })
  expect(await sent()).toEqual(['night web 12:00', 'night web 12:00', 'night sms 12:00'])
  await ourNight.call(saveOwnPush, { mutedTypeIds: [], quiet: null })
})

test('the words of a type are the administrators’, in the language of who reads', async () => {
  const { db } = place.world.services
  const type = await typeOf('alarm.machine')
  const { id, version, name, title, body, channels, urgency, variables, smsTemplate } = type
  const words = {
    name,
    title: { ...title, en: '{{machine}} needs you' },
    body,
    channels,
    urgency,
    variables,
    smsTemplate,
  }
  dataOf(await admin.call(editMessageType, { id, version, ...words }))
  await sql`update app_user set language = 'en' where id = ${ourNight.id}`.execute(db)
  await alarm({ userIds: [ourNight.id] })
  const bell = dataOf<OutputOf<typeof getBell>>(await ourNight.call(getBell))
  expect(bell.items[0]).toMatchObject({
    title: 'HZ-001 needs you',
    body: 'Machine HZ-001 raised an alarm at 12:00: too warm.',
  })
  const stale = await admin.call(editMessageType, { id, version, ...words })
  expect([stale.status, stale.body.code]).toEqual([409, 'edit.stale'])
  const unknown = { ...words, body: { ...body, fr: '{{nobody}}' } }
  const answer = await admin.call(editMessageType, { id, version: version + 1, ...unknown })
  expect([answer.body.code, answer.text.includes('{{nobody}}')]).toEqual(['messageType.variable', true])
  const fixed = await admin.call(editMessageType, { id, version: version + 1, ...words, variables: ['machine'] })
  expect(fixed.body.code).toBe('messageType.codeFixed')
})

test('a type that is off tells nobody; what nobody can do without stays on and goes at once', async () => {
  const { id } = await typeOf('alarm.machine')
  dataOf(await admin.call(switchTypeOff, { id }))
  await alarm()
  expect(await sent()).toEqual([])
  dataOf(await admin.call(switchTypeOn, { id }))
  const code = await typeOf('password.code')
  expect((await admin.call(switchTypeOff, { id: code.id })).body.code).toBe('messageType.required')
  const { name, title, body, channels, variables, smsTemplate } = code
  const waits = { id: code.id, version: code.version, name, title, body, channels, variables, smsTemplate }
  expect((await admin.call(editMessageType, { ...waits, urgency: 'canWait' })).body.code).toBe('messageType.required')
  expect((await ourAdmin.call(switchTypeOff, { id })).status).toBe(404)
})

test('the platform adds types of its own, each code once', async () => {
  const four = (text: string) => ({ zh: text, en: text, fr: text, ko: text })
  const type = { name: four('Lost property'), title: four('Found'), body: four('{{thing}}'), channels: ['web'] }
  const input = { code: 'notice.lost', ...type, urgency: 'canWait', variables: ['thing'], smsTemplate: null }
  expect((await admin.call(addMessageType, input)).status).toBe(200)
  expect((await admin.call(addMessageType, input)).body.code).toBe('messageType.codeTaken')
  expect((await ourAdmin.call(addMessageType, { ...input, code: 'notice.ours' })).status).toBe(404)
})

test('the alarm log holds alarm messages only, each with its receiver and result', async () => {
  await alarm()
  await alarm({ type: 'report.ready', vars: { report: 'Sales' } })
  const log = dataOf<OutputOf<typeof listAlarmLog>>(await ourAdmin.call(listAlarmLog))
  expect(log.items.map(({ type, channel, state }) => [type, channel, state])).toEqual([
    ['alarm.machine', 'sms', 'waiting'],
    ['alarm.machine', 'web', 'sent'],
  ])
  expect(dataOf<OutputOf<typeof listAlarmLog>>(await belowAdmin.call(listAlarmLog)).items).toEqual([])
})

test('who reads the alarm log opens its messages and no other', async () => {
  await alarm()
  await alarm({ type: 'report.ready', vars: { report: 'Sales' } })
  const reader = await somebody(place, place.ours.id, { grants: ['alarmLog.read'] })
  const [first] = dataOf<OutputOf<typeof listAlarmLog>>(await reader.call(listAlarmLog)).items
  expect(dataOf(await reader.call(getAlarmMessage, { id: first?.id }))).toMatchObject({ type: 'alarm.machine' })
  const other = await sql<{ id: number }>`select max(id) as id from outbox_message where type = 'report.ready'`.execute(
    place.world.services.db,
  )
  expect((await reader.call(getAlarmMessage, { id: other.rows[0]?.id })).status).toBe(404)
})

test('a channel that nothing carries can’t be chosen', async () => {
  const { typeId } = await settingOf(ourAdmin, 'alarm.machine')
  const rule = {
    typeId,
    version: 0,
    channels: ['web', 'app'],
    roleIds: [],
    organisationIds: [],
    userIds: [ourAdmin.id],
  }
  const { status, body } = await ourAdmin.call(savePushSetting, rule)
  expect([status, body.fields]).toMatchObject([422, [{ path: 'channels.1', reason: 'notOffered' }]])
})

test('the badge counts only what the person may decide', async () => {
  const blind = await somebody(place, place.ours.id, { grants: ['bankAccount.read'] })
  expect(dataOf(await blind.call(getPendingReviews))).toEqual({ items: [], total: 0 })
  const outside = await somebody(place, place.ours.id, { grants: ['writeOff.write'] })
  expect(dataOf(await outside.call(getPendingReviews))).toEqual({ items: [], total: 0 })
  const reviews = dataOf<OutputOf<typeof getPendingReviews>>(await admin.call(getPendingReviews))
  expect(reviews.items.map(({ kind, screen }) => [kind, screen])).toEqual([
    ['refund', 'jygl/tkgl'],
    ['problem', 'cfgl/wtddgl'],
    ['unclaimed', 'cfgl/wtddgl'],
    ['difference', 'xtgl/rjs'],
    ['settlementDispute', 'cwgl/cwjs'],
    ['split', 'cfgl/fztj'],
    ['bankAccount', 'shgl/shzhxx'],
    ['withdrawal', 'cfgl/txgl'],
    ['bankLine', 'cfgl/txgl'],
    ['prizeClaim', 'jygl/hgsh'],
    ['prescription', 'jygl/cfcx'],
    ['expired', 'ypgl/ypqx'],
    ['care', 'ypgl/ypyh'],
    ['writeOff', 'jxcgl/bs'],
    ['supplierReturn', 'jxcgl/bs'],
    ['stockCount', 'kcpd/jqspkcpd'],
    ['machineCount', 'kcpd/jqspkcpd'],
    ['visitStep', 'jxcgl/bhd'],
    ['cashDifference', 'cfgl/xjqd'],
    ['cardApplication', 'hygl/sqbk'],
    ['libraryAddition', 'spgl/ptspk'],
    ['feedback', 'shkf/wtfk'],
    ['customerCase', 'shkf/khfk'],
  ])
})
