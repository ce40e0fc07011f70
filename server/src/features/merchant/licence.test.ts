import {
  addLicence,
  editLicence,
  getLicence,
  listLicences,
  renewLicence,
  revokeLicence,
  summariseLicences,
} from '@aisle/contract/merchant/licence'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type Answer, type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { warnOfLicences } from './licence.jobs'
import { routes } from './licence'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants: ['licence.*'] })
  token = await addSession(world.services.db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const wording = (more: Record<string, unknown> = {}) => ({
  merchantId: family.ours.merchantId,
  holderKind: 'merchant',
  kind: 'food_trade',
  number: 'JY1',
  holder: 'Ours Ltd',
  issuedBy: 'Office',
  validFrom: '2022-01-01',
  validTo: '2026-12-31',
  ...more,
})
const call = (...args: Parameters<HttpWorld['call']>) => http.call(args[0], args[1], { token })
const added = async (more: Record<string, unknown> = {}): Promise<number> => idOf(await call(addLicence, wording(more)))
const idOf = ({ body }: Answer) => (body.data as { id: number }).id
const read = async (id: number) => (await call(getLicence, { id })).body.data as Record<string, unknown>

test('a licence is warned of 60 days before, or as its merchant has set, and is good on its last day', async () => {
  const { db } = world.services
  const ends = async (validTo: string | null) => (await read(await added({ number: `E${validTo}`, validTo }))).state
  expect(await ends('2027-01-20')).toBe('valid')
  expect(await ends('2027-01-19')).toBe('expiring')
  expect(await ends('2026-11-20')).toBe('expiring')
  expect(await ends('2026-11-19')).toBe('expired')
  expect(await ends(null)).toBe('valid')
  const listed = (await call(listLicences, { state: 'expiring' })).body.data as { items: { validTo: string }[] }
  expect(listed.items.map(({ validTo }) => validTo)).toEqual(['2026-11-20', '2027-01-19'])
  await sql`insert into setting (key, merchant_id, value)
    values ('licence.warningDays', ${family.platformId}, '5'),
      ('licence.warningDays', ${family.ours.merchantId}, '90')`.execute(db)
  expect((await call(listLicences.count, { state: 'expiring' })).body.data).toEqual({ total: 3 })
  await sql`delete from setting where key = 'licence.warningDays'`.execute(db)
  const worst = (await call(listLicences)).body.data as { items: { state: string }[] }
  expect(worst.items.map(({ state }) => state).slice(0, 3)).toEqual(['expired', 'expiring', 'expiring'])
  expect((await call(summariseLicences)).body.data).toMatchObject({ expired: 1, expiring: 2 })
})

test('the same number twice is refused, until the first is revoked', async () => {
  const id = await added({ number: 'TWICE' })
  const again = await call(addLicence, wording({ number: 'TWICE' }))
  expect([again.status, again.body.code]).toEqual([409, 'licence.numberTaken'])
  const revoked = await call(revokeLicence, { id, version: 1, reason: 'Given back' })
  expect(revoked.status).toBe(200)
  expect(await read(id)).toMatchObject({ state: 'revoked', revokeReason: 'Given back' })
  await added({ number: 'TWICE' })
  const twice = await call(revokeLicence, { id, version: 2, reason: 'Given back' })
  expect([twice.status, twice.body.code]).toEqual([409, 'licence.revoked'])
})

test('a renewal keeps the term before with its scans, and has to end later', async () => {
  const id = await added({ number: 'OLD', pictures: ['/pictures/old.png'] })
  const term = { number: 'NEW', issuedBy: 'Office', validFrom: '2027-01-01', validTo: '2026-12-31' }
  expect((await call(renewLicence, { id, version: 1, ...term })).body.code).toBe('licence.period')
  const same = { ...term, validFrom: '2026-01-01' }
  expect((await call(renewLicence, { id, version: 1, ...same })).body.code).toBe('licence.notLater')
  expect((await call(renewLicence, { id, version: 1, ...term, validTo: '2031-12-31' })).status).toBe(200)
  expect(await read(id)).toMatchObject({
    number: 'NEW',
    validTo: '2031-12-31',
    state: 'valid',
    version: 2,
    pictures: [],
    terms: [{ number: 'OLD', validTo: '2026-12-31', pictures: ['/pictures/old.png'] }],
  })
})

test('who edits what another has changed meanwhile is told what, and overwrites nothing', async () => {
  const id = await added({ number: 'STALE' })
  const { merchantId: _merchant, ...about } = wording({ number: 'STALE' })
  expect((await call(editLicence, { id, version: 1, ...about, holder: 'First' })).status).toBe(200)
  const second = await call(editLicence, { id, version: 1, ...about, holder: 'Second' })
  expect([second.status, second.body.code]).toEqual([409, 'edit.stale'])
  expect(second.body.fields).toContainEqual(expect.objectContaining({ path: 'holder' }))
  expect(await read(id)).toMatchObject({ holder: 'First' })
})

test('a site names a machine in sight, and a kind that its holder cannot hold is refused', async () => {
  const site = { holderKind: 'site', kind: 'site_filing', number: 'SITE' }
  const theirs = family.theirs.machines[0]?.code
  const ours = family.ours.machines[0]?.code
  expect((await call(addLicence, wording({ ...site, machineCode: theirs }))).body.code).toBe('licence.noMachine')
  expect((await call(addLicence, wording(site))).body.code).toBe('licence.noMachine')
  const id = await added({ ...site, machineCode: ours })
  expect(await read(id)).toMatchObject({ hangs: { machineCount: 1, machines: [{ code: ours }] } })
  expect((await call(addLicence, wording({ kind: 'doctor_practice' }))).body.code).toBe('licence.kindOfHolder')
  expect((await call(addLicence, wording({ merchantId: family.theirs.merchantId }))).status).toBe(404)
})

test('a doctor’s licence names the account of a doctor in sight', async () => {
  const { db } = world.services
  const doctor = await addUser(db, { merchantId: family.ours.merchantId, kind: 'doctor' })
  const named = { holderKind: 'doctor', kind: 'doctor_practice', number: 'DOC', account: doctor.account }
  expect(await read(await added(named))).toMatchObject({ holderKind: 'doctor', account: doctor.account })
  const foreign = await addUser(db, { merchantId: family.theirs.merchantId, kind: 'doctor' })
  const refused = await call(addLicence, wording({ ...named, number: 'DOC2', account: foreign.account }))
  expect(refused.body.code).toBe('licence.noDoctor')
})

test('a licence is warned of once for each threshold, however often the job runs, and again once renewed', async () => {
  const { db } = world.services
  await sql`delete from licence_term`.execute(db)
  await sql`delete from licence`.execute(db)
  const id = await added({ number: 'WARN', validTo: '2026-12-15' })
  const warnings = async () =>
    (
      await sql<{ count: number }>`select count(*) as count from outbox_message
      where type = 'licence.expiring' and merchant_id = ${family.ours.merchantId}`.execute(db)
    ).rows[0]?.count
  const admins =
    (
      await sql<{ count: number }>`select count(*) as count from app_user
    where merchant_id = ${family.ours.merchantId} and kind = 'merchant_admin'`.execute(db)
    ).rows[0]?.count ?? 0
  const onDay = async (day: string) => {
    world.setNow(new Date(`${day}T00:30:00Z`))
    await warnOfLicences(world.services)
    await warnOfLicences(world.services)
    return Number(await warnings()) / admins
  }
  expect(await onDay('2026-10-01')).toBe(0)
  expect(await onDay('2026-10-16')).toBe(1)
  expect(await onDay('2026-10-20')).toBe(1)
  // The job slept through the day of 30.
  expect(await onDay('2026-11-18')).toBe(2)
  expect(await onDay('2026-12-08')).toBe(3)
  expect(await onDay('2026-12-15')).toBe(4)
  expect(await onDay('2026-12-20')).toBe(4)
  await sql`update licence set valid_to = '2027-01-15' where id = ${id}`.execute(db)
  expect(await onDay('2026-12-21')).toBe(5)
  world.setNow(NOON)
})
