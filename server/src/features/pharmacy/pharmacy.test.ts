import { getPractice, listMedicineChoices } from '@aisle/contract/pharmacy/medicine'
import { getPrescription, listPrescriptions, summarisePrescriptions } from '@aisle/contract/pharmacy/prescription'
import { approvePrescription, rejectPrescription, revealPatient } from '@aisle/contract/pharmacy/review'
import { getPrescriptionSales, listPrescriptionSales } from '@aisle/contract/pharmacy/sales'
import {
  amendPrescription,
  cancelPrescription,
  editPrescription,
  submitPrescription,
  warnOfPrescription,
} from '@aisle/contract/pharmacy/write'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { data, ID_NUMBER, openPharmacy, type Pharmacy } from './testing'
import { statusAndCode } from '../../testing/http'

let pharmacy: Pharmacy
let rx: [number, number, number]

beforeAll(async () => {
  pharmacy = await openPharmacy()
  rx = pharmacy.products.map(({ id }) => id) as typeof rx
  await sql`insert into medicine (product_id, ingredients, dose_unit, units_per_pack, max_daily_units, min_age, not_for)
    values (${rx[0]}, '{amoxicillin}', '粒', 24, 6, 12, '{pregnant}')`.execute(pharmacy.db)
})
afterAll(() => pharmacy.close())

type Written = { id: number; code: string; state: string }
type Shown = { state: string; version: number; contentHash: string; patient: string; hindrance: string | null } & {
  decisions: { verb: string; isGenuine: boolean; isSameContent: boolean; reason: string }[]
  warnings: { kind: string }[]
  amendedFrom: { code: string } | null
  amendedTo: { code: string } | null
  story: { verb: string }[]
}
const show = async (id: number, by = pharmacy.pharmacist) => data<Shown>(await by.call(getPrescription, { id }))
const draft = async (more: Record<string, unknown> = {}) =>
  data<Written>(await pharmacy.write([{ productId: rx[1] }], { isSubmitted: false, ...more }))

test('a code can not be guessed, and a patient is a mask until somebody asks and is noted', async () => {
  const { id, code } = await pharmacy.approved(undefined, { patientIdNumber: ID_NUMBER })
  expect(code).toMatch(/^RX261120[0-9A-HJKMNP-TV-Z]{12}$/)
  expect(await show(id)).toMatchObject({ patient: '张**', idNumber: '330**************7' })
  const dump = await sql<{ row: string }>`select to_json(p)::text as row from prescription p where id = ${id}`.execute(
    pharmacy.db,
  )
  expect(dump.rows[0]?.row).not.toMatch(/张小明|330106198003076577/)
  const revealed = await pharmacy.pharmacist.call(revealPatient, { id, reason: 'asked at the machine' })
  expect(data(revealed)).toEqual({ name: '张小明', idNumber: ID_NUMBER })
  expect((await pharmacy.doctor.call(revealPatient, { id, reason: 'no right' })).status).toBe(403)
  const noted = await sql`select after ->> 'reason' as reason from audit_log
    where action = 'pharmacy.revealPatient' and object_id = ${String(id)}`.execute(pharmacy.db)
  expect(noted.rows).toEqual([{ reason: 'asked at the machine' }])
})

test('only a doctor with a licence that holds today writes', async () => {
  const nobody = await pharmacy.as(null, ['prescription.*'])
  const lapsed = await pharmacy.as('doctor', ['prescription.*'])
  await sql`update licence set valid_to = '2026-11-19' where user_id = ${lapsed.id}`.execute(pharmacy.db)
  const { id } = await draft()
  const { version } = await show(id)
  expect(statusAndCode(await nobody.call(submitPrescription, { id, version }))).toEqual([403, 'prescription.notDoctor'])
  await sql`update prescription set doctor_id = ${lapsed.id} where id = ${id}`.execute(pharmacy.db)
  expect(statusAndCode(await lapsed.call(submitPrescription, { id, version }))).toEqual([403, 'prescription.practice'])
  expect(data(await lapsed.call(getPractice))).toMatchObject({ profession: 'doctor', isInForce: false, validDays: 3 })
})

test.each([
  ['a medicine twice', () => ({ lines: [{ productId: rx[1] }, { productId: rx[1] }] }), 'prescription.medicineTwice'],
  ['a product that is none', () => ({ lines: [{ productId: 999_999 }] }), 'prescription.medicine'],
  ['a wrong id number', () => ({ more: { patientIdNumber: '330106198003076578' } }), 'prescription.idNumber'],
  [
    'an id number of another year',
    () => ({ more: { patientIdNumber: ID_NUMBER, birthYear: 1981 } }),
    'prescription.idNumber',
  ],
  ['a hospital of nobody', () => ({ more: { hospitalId: 999_999 } }), 'prescription.hospital'],
  ['a warning without a reason', () => ({ lines: [{ productId: rx[0], dose: 9 }] }), 'prescription.warned'],
])('%s is refused', async (_, wrong, code) => {
  const { lines = [{ productId: rx[1] }], more = {} } = wrong() as { lines?: { productId: number }[]; more?: object }
  expect(statusAndCode(await pharmacy.write(lines, { ...more }))).toEqual([422, code])
})

test('warnings are worked out while somebody writes', async () => {
  const line = { productId: rx[0], quantity: 9, dose: 4, timesADay: 3, days: 9 }
  const asked = { birthYear: 2020, patientFacts: ['pregnant'], allergies: 'Amoxicillin, dust', lines: [line] }
  const { warnings } = data<{ warnings: { kind: string }[] }>(await pharmacy.doctor.call(warnOfPrescription, asked))
  expect(warnings.map(({ kind }) => kind)).toEqual([
    'allergy',
    'notFor',
    'tooYoung',
    'overDaily',
    'overDays',
    'overQuantity',
  ])
})

test('a draft is changed, stale changes are told, and what came back is submitted again', async () => {
  const { id } = await draft()
  const { version } = await show(id)
  const content = { sex: 'male', birthYear: 1980, condition: '发热', lines: [line(rx[1])] }
  expect((await pharmacy.doctor.call(editPrescription, { id, version, ...content })).status).toBe(200)
  expect(
    statusAndCode(await pharmacy.doctor.call(editPrescription, { id, version, ...content, condition: '头痛' })),
  ).toEqual([409, 'edit.stale'])
  expect((await pharmacy.doctor.call(submitPrescription, { id, version: version + 1 })).status).toBe(200)
  const { contentHash } = await show(id)
  const back = { id, contentHash, reason: 'dose unclear' }
  expect((await pharmacy.pharmacist.call(rejectPrescription, back)).status).toBe(200)
  const shown = await show(id)
  expect(shown).toMatchObject({ state: 'rejected', patient: '张**', decisions: [{ verb: 'reject', isGenuine: true }] })
  const again = await pharmacy.doctor.call(submitPrescription, { id, version: shown.version })
  expect(data<Written>(again).state).toBe('submitted')
  expect((await show(id)).story.map(({ verb }) => verb)).toEqual(['write', 'edit', 'submit', 'reject', 'submit'])
})
const line = (productId: number) => ({ productId, quantity: 1, dose: 1, timesADay: 3, days: 3 })

test('an approval is signed, of what was looked at; a forged one shows', async () => {
  const { id } = data<Written>(await pharmacy.write([{ productId: rx[1] }]))
  const stale = { id, contentHash: 'f'.repeat(64) }
  expect(statusAndCode(await pharmacy.pharmacist.call(approvePrescription, stale))).toEqual([
    409,
    'prescription.changed',
  ])
  expect((await pharmacy.approve(id)).status).toBe(200)
  expect(await show(id)).toMatchObject({
    state: 'approved',
    hindrance: 'state',
    decisions: [{ verb: 'approve', isGenuine: true, isSameContent: true }],
  })
  await sql`alter table prescription_event disable trigger prescription_event_kept`.execute(pharmacy.db)
  await sql`update prescription_event set reason = 'never said' where prescription_id = ${id}
    and verb = 'approve'`.execute(pharmacy.db)
  await sql`alter table prescription_event enable trigger prescription_event_kept`.execute(pharmacy.db)
  expect((await show(id)).decisions).toMatchObject([{ isGenuine: false }])
  expect(statusAndCode(await pharmacy.approve(id))).toEqual([409, 'prescription.state'])
})

test('nobody approves their own, not under another account either', async () => {
  const both = await pharmacy.as('pharmacist', ['prescription.*'])
  const { id } = data<Written>(await pharmacy.write([{ productId: rx[1] }]))
  await sql`alter table prescription disable trigger prescription_kept`.execute(pharmacy.db)
  await sql`update prescription set doctor_id = ${both.id} where id = ${id}`.execute(pharmacy.db)
  await sql`alter table prescription enable trigger prescription_kept`.execute(pharmacy.db)
  expect(statusAndCode(await pharmacy.approve(id, both))).toEqual([403, 'prescription.own'])
  await sql`update app_user set phone = '13900001111' where id in (${both.id}, ${pharmacy.pharmacist.id})`.execute(
    pharmacy.db,
  )
  expect(statusAndCode(await pharmacy.approve(id))).toEqual([403, 'prescription.samePerson'])
  await sql`update app_user set phone = null where id = ${both.id}`.execute(pharmacy.db)
  const clerk = await pharmacy.as(null, ['prescription.*'])
  expect(statusAndCode(await pharmacy.approve(id, clerk))).toEqual([403, 'prescription.notPharmacist'])
  const forced = sql`update prescription set reviewed_by = doctor_id where id = ${id}`.execute(pharmacy.db)
  await expect(forced).rejects.toMatchObject({ constraint: 'prescription_not_own' })
  expect((await pharmacy.approve(id)).status).toBe(200)
})

test('of 64 reviews at once one decides', async () => {
  const { id } = data<Written>(await pharmacy.write([{ productId: rx[1] }]))
  const answers = await Promise.all(Array.from({ length: 64 }, () => pharmacy.approve(id)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const events = await sql`select from prescription_event where prescription_id = ${id} and verb = 'approve'`.execute(
    pharmacy.db,
  )
  expect(events.rows).toHaveLength(1)
})

test('an amended copy takes the place of the first one once it is submitted', async () => {
  const { id, code } = await pharmacy.approved()
  const copy = data<Written>(await pharmacy.doctor.call(amendPrescription, { id, reason: 'dose lowered' }))
  const twice = await pharmacy.doctor.call(amendPrescription, { id, reason: 'once more' })
  expect(statusAndCode(twice)).toEqual([409, 'prescription.amended'])
  expect((await show(id)).state).toBe('approved')
  const { version } = await show(copy.id)
  await pharmacy.doctor.call(submitPrescription, { id: copy.id, version })
  expect(await show(copy.id)).toMatchObject({ state: 'submitted', amendedFrom: { code }, patient: '张**' })
  expect(await show(id)).toMatchObject({ state: 'cancelled', amendedTo: { code: copy.code } })
  expect(statusAndCode(await pharmacy.doctor.call(cancelPrescription, { id, reason: 'again' }))).toEqual([
    409,
    'prescription.state',
  ])
})

test('doctors see their own, strangers nothing, and a patient is found by the whole name', async () => {
  const colleague = await pharmacy.as('doctor', ['prescription.read', 'prescription.write'])
  const stranger = await pharmacy.as('pharmacist', ['prescription.*'], pharmacy.strangerId)
  const { id } = await draft({ patientName: '欧阳明月' })
  const found = async (by: typeof stranger, filter: object) =>
    data<{ items: { id: number }[] }>(await by.call(listPrescriptions, { ...filter })).items.map((each) => each.id)
  expect(await found(pharmacy.pharmacist, { patient: '欧阳明月' })).toEqual([id])
  expect(await found(pharmacy.pharmacist, { patient: '欧阳' })).toEqual([])
  expect(await found(colleague, {})).toEqual([])
  expect(await found(stranger, {})).toEqual([])
  expect((await stranger.call(getPrescription, { id })).status).toBe(404)
  expect(statusAndCode(await stranger.call(cancelPrescription, { id, reason: 'not mine' }))).toEqual([
    404,
    'request.notFound',
  ])
  expect(await found(pharmacy.doctor, { state: 'draft', medicine: 'Product', repeat: 'once', fill: 'none' })).toContain(
    id,
  )
})

test('lists and figures page and add up', async () => {
  const { total } = data<{ total: number }>(await pharmacy.pharmacist.call(listPrescriptions.count))
  const first = data<{ items: unknown[]; nextCursor: string }>(
    await pharmacy.pharmacist.call(listPrescriptions, { pageSize: 3, sort: 'waiting' }),
  )
  expect(first.items).toHaveLength(3)
  const next = { pageSize: 200, sort: 'waiting', cursor: first.nextCursor }
  const rest = data<{ items: unknown[] }>(await pharmacy.pharmacist.call(listPrescriptions, next))
  expect(rest.items).toHaveLength(total - 3)
  const summary = data<Record<string, number>>(await pharmacy.pharmacist.call(summarisePrescriptions))
  expect(summary.approved).toBeGreaterThan(2)
  const choices = data<{ items: { id: number; machineCount: number }[] }>(
    await pharmacy.doctor.call(listMedicineChoices, {}),
  )
  expect(choices.items.map(({ machineCount }) => machineCount)).toEqual([1, 1, 1])
})

test.each(['doctor', 'hospital', 'medicine', 'day'])('sales by %s are sums of the same figures', async (by) => {
  await sql`insert into rollup_day_prescription (business_day, merchant_id, doctor_id, hospital_id, product_id, packs,
      sold_fen)
    values ('2026-11-19', ${pharmacy.merchantId}, ${pharmacy.doctor.id}, 0, ${rx[0]}, 2, 1000),
      ('2026-11-18', ${pharmacy.merchantId}, ${pharmacy.doctor.id}, 0, ${rx[1]}, 1, 500),
      ('2026-11-18', ${pharmacy.strangerId}, ${pharmacy.doctor.id}, 0, ${rx[1]}, 1, 77_700)
    on conflict do nothing`.execute(pharmacy.db)
  const listed = data<{ items: { packs: number; soldFen: number; sharePercent: number }[] }>(
    await pharmacy.pharmacist.call(listPrescriptionSales, { by }),
  )
  expect(listed.items.reduce((sum, { soldFen }) => sum + soldFen, 0)).toBe(1500)
  expect(listed.items.reduce((sum, { sharePercent }) => sum + sharePercent, 0)).toBeCloseTo(100, 0)
  const counted = data(await pharmacy.pharmacist.call(listPrescriptionSales.count, { by }))
  expect(counted).toMatchObject({ sums: { soldFen: 1500 } })
  const whole = await pharmacy.pharmacist.call(getPrescriptionSales, { from: '2026-11-01', to: '2026-11-20' })
  expect(data(whole)).toMatchObject({ soldFen: 1500, packs: 3, doctors: 1, days: [{ packs: 1 }, { packs: 2 }] })
})
