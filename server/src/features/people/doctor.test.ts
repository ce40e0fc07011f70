import { addDoctor, editDoctor, getDoctor, getDoctorChoices, listDoctors } from '@aisle/contract/people/doctor'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inserted } from '../../testing/inserted'
import { type Caller, data, NOON, openPeople, type People, PHONE } from './testing'
import { statusAndCode } from '../../testing/http'

let people: People
let merchantId: number
let boss: Caller
let hospitalId: number
let foreignId: number

beforeAll(async () => {
  people = await openPeople()
  merchantId = people.family.ours.merchantId
  boss = await people.as({ merchantId, grants: ['doctor.*', 'machine.read'] })
  const hospital = (owner: number, name: string) =>
    inserted(
      people.db,
      sql`insert into hospital (merchant_id, name, level, province, city, created_at)
        values (${owner}, ${name}, 'iii_a', 'P', 'C', ${NOON})`,
    )
  hospitalId = await hospital(merchantId, 'Ours hospital')
  foreignId = await hospital(people.family.theirs.merchantId, 'Theirs hospital')
})
afterAll(() => people.close())

type Shown = { id: number; name: string; practice: string; version: number }
const NEW = {
  name: '程医生',
  phone: PHONE,
  licenceIssuedBy: '市卫生健康委员会',
  licenceValidFrom: '2024-01-01',
  department: '内科',
}
const add = (account: string, more: Record<string, unknown> = {}) =>
  boss.call(addDoctor, { ...NEW, account, licenceNumber: `YS-${account}`, ...more })

test('a doctor is a user with a licence, a hospital and a password on the way', async () => {
  const { id } = data<{ id: number }>(await add('dr-one', { hospitalId, licenceValidTo: '2027-12-31' }))
  const shown = data<Shown>(await boss.call(getDoctor, { id }))
  expect(shown).toMatchObject({
    profession: 'doctor',
    hospitalName: 'Ours hospital',
    licenceNumber: 'YS-dr-one',
    practice: 'valid',
  })
  const made = await sql`select u.kind, m.type from app_user u join outbox_message m on m.user_id = u.id
    where u.id = ${id}`.execute(people.db)
  expect(made.rows).toEqual([{ kind: 'doctor', type: 'password.initial' }])
})

test.each([
  ['a licence of somebody else', { licenceNumber: 'YS-dr-one' }, 409, 'licence.numberTaken'],
  ['a licence that ends before it begins', { licenceValidTo: '2023-12-31' }, 422, 'licence.period'],
  ['a taken account', { account: 'dr-one' }, 409, 'user.accountTaken'],
  ['no number', { licenceNumber: ' ' }, 422, 'request.invalid'],
])('%s is refused', async (_, more, status, code) => {
  expect(statusAndCode(await add('dr-refused', more))).toEqual([status, code])
})

test('a hospital of others is as good as none', async () => {
  expect(statusAndCode(await add('dr-foreign', { hospitalId: foreignId }))).toEqual([404, 'request.notFound'])
  const { hospitals } = data<{ hospitals: { name: string }[] }>(await boss.call(getDoctorChoices))
  expect(hospitals.map(({ name }) => name)).toEqual(['Ours hospital', 'Ours hospital 1', 'Ours hospital 2'])
})

test('whose licence is missing, has ended or ends first stands first', async () => {
  await add('dr-ended', { licenceValidTo: '2026-11-19' })
  await add('dr-ending', { licenceValidTo: '2026-12-20' })
  await add('dr-forever')
  const { items } = data<{ items: { account: string; practice: string }[] }>(await boss.call(listDoctors))
  expect(items.map(({ practice }) => practice)).toEqual(['missing', 'expired', 'expiring', 'valid', 'valid'])
  expect(items.at(-1)?.account).toBe('dr-forever')
  const found = await boss.call(listDoctors, { practice: 'expiring' })
  expect(data<{ items: { account: string }[] }>(found).items.map(({ account }) => account)).toEqual(['dr-ending'])
  expect(data<{ items: unknown[] }>(await boss.call(listDoctors, { doctor: 'ys-dr-end' })).items).toHaveLength(2)
})

test('work is changed, and the second of two is told', async () => {
  const { id } = data<{ id: number }>(await add('ph-one', { profession: 'pharmacist' }))
  const { version } = data<Shown>(await boss.call(getDoctor, { id }))
  const change = (department: string) =>
    boss.call(editDoctor, { id, version, profession: 'pharmacist', hospitalId, department })
  expect(statusAndCode(await change('药剂科'))[0]).toBe(200)
  expect(statusAndCode(await change('门诊'))).toEqual([409, 'edit.stale'])
  const user = await people.as({ merchantId, kind: 'ordinary' })
  const asDoctor = { id: user.id, version: 1, profession: 'doctor', hospitalId: null, department: '' }
  expect(statusAndCode(await boss.call(editDoctor, asDoctor))).toEqual([404, 'request.notFound'])
})
