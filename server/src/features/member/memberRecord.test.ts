import { getMember, listMembers, summariseMembers } from '@aisle/contract/member/member'
import * as contract from '@aisle/contract/member/memberRecord'
import * as units from '@aisle/contract/member/memberUnit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { issueCard } from '../../testing/tenders'
import { openWorld, type World } from '../../testing/world'
import { routes } from './member.routes'
import { routes as unitRoutes } from './memberUnit'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...unitRoutes))
  family = await addFamily(world.services.db, NOON)
  token = await tokenOf(['member.*'])
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function tokenOf(grants: readonly string[]): Promise<string> {
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants })
  return addSession(world.services.db, user.id, NOON)
}
const call = async (
  endpoint: Parameters<HttpWorld['call']>[0],
  input: Record<string, unknown> = {},
  by: string = token,
) => {
  const { status, body } = await http.call(endpoint, input, { token: by })
  return { status, code: body.code, data: body.data as Record<string, unknown>, fields: body.fields }
}
const typed = (more: Record<string, unknown> = {}) => ({ name: '王芳', phone: '13812345678', ...more })
const add = async (more: Record<string, unknown> = {}) => {
  const made = await call(contract.addMember, { merchantId: family.ours.merchantId, ...typed(more) })
  return { ...made, id: Number(made.data?.id) }
}
const unit = async (kind: string, name: string, parentId: number | null = null) => {
  const made = await call(units.addMemberUnit, { merchantId: family.ours.merchantId, kind, name, parentId })
  return { ...made, id: Number(made.data?.id) }
}

test('a member is made with its own number or one that is made, tied to its merchant, and found again', async () => {
  const own = await add({ number: 'card-7'.replace('-', ''), birthday: '2001-02-28', tags: ['VIP', 'VIP', '教师'] })
  expect((await call(getMember, { id: own.id })).data).toMatchObject({
    number: 'CARD7',
    birthday: '2001-02-28',
    tags: ['VIP', '教师'],
    merchantCount: 1,
    isOwn: true,
  })
  expect((await add({ number: 'CARD7' })).code).toBe('member.numberTaken')
  const made = await add()
  expect((await call(getMember, { id: made.id })).data.number).toMatch(/^M\d{8}$/)
  expect((await call(listMembers.count, { tag: '教师' })).data.total).toBe(1)
})

test.each(['2026-02-31', '2025-02-29'])('a birthday of %s is refused, as is one that is still to come', async (day) => {
  expect(await add({ birthday: day })).toMatchObject({ status: 422, fields: [{ path: 'birthday' }] })
  expect(await add({ birthday: '2026-11-21' })).toMatchObject({ status: 422, code: 'member.bornLater' })
})

test('for who is under fourteen a guardian agrees, when it is made and afterwards', async () => {
  const born = { birthday: '2015-05-05' }
  expect((await add({ ...born, consentedBy: 'self' })).code).toBe('member.guardian')
  const { id } = await add({ ...born, consentedBy: 'guardian' })
  expect((await call(contract.recordConsent, { id, consentedBy: 'self' })).code).toBe('member.guardian')
  const missing = (await call(summariseMembers)).data.consentMissing
  expect((await call(contract.recordConsent, { id, consentedBy: null })).status).toBe(200)
  expect((await call(getMember, { id })).data).toMatchObject({ consentedBy: null, consentedAt: null })
  expect((await call(summariseMembers)).data.consentMissing).toBe(Number(missing) + 1)
})

test('an edit overwrites nothing unseen, and the log keeps no personal data', async () => {
  const { id } = await add()
  const change = { id, version: 1, ...typed({ level: 3, address: '杭州市文三路 1 号' }) }
  expect((await call(contract.editMember, change)).status).toBe(200)
  expect(await call(contract.editMember, { ...change, name: '李雷' })).toMatchObject({
    status: 409,
    code: 'edit.stale',
  })
  const logged = await sql<{ said: string }>`select before::text || after::text as said from audit_log
    where object_kind = 'member' and object_id = ${String(id)} and before is not null`.execute(world.services.db)
  expect(logged.rows.map(({ said }) => said).join()).toContain('address')
  expect(logged.rows.map(({ said }) => said).join()).not.toMatch(/王芳|文三路|138/)
})

test('a class stands in a grade of a school, and none is deleted while others or members belong to it', async () => {
  const school = await unit('school', '第一小学')
  const grade = await unit('grade', '一年级', school.id)
  const first = await unit('class', '1 班', grade.id)
  expect((await unit('class', '1 班', grade.id)).code).toBe('memberUnit.nameTaken')
  expect((await unit('grade', '孤儿年级')).code).toBe('memberUnit.below')
  expect((await unit('school', '校中校', school.id)).code).toBe('memberUnit.below')
  const { id } = await add({ unitId: first.id, name: '小明' })
  expect((await call(listMembers, { unit: '第一小学' })).data.items).toMatchObject([
    { id, unitName: '第一小学 / 一年级 / 1 班' },
  ])
  const tree = (await call(units.listMemberUnits)).data.items as { id: number; memberCount: number }[]
  expect(tree.find((each) => each.id === school.id)).toMatchObject({ memberCount: 1 })
  for (const each of [school, grade, first]) {
    expect(await call(units.removeMemberUnit, { id: each.id })).toMatchObject({ status: 409, code: 'request.inUse' })
  }
  await call(contract.editMember, { id, version: 1, ...typed({ unitId: null }) })
  for (const each of [first, grade, school]) {
    expect((await call(units.removeMemberUnit, { id: each.id })).status).toBe(200)
  }
})

test('a school of another merchant is none to belong to, nor to add a grade to', async () => {
  const { rows } = await sql<{ id: number }>`insert into member_unit (merchant_id, kind, name)
    values (${family.theirs.merchantId}, 'school', 'Theirs') returning id`.execute(world.services.db)
  const theirs = rows[0]?.id ?? 0
  expect((await add({ unitId: theirs })).status).toBe(404)
  expect((await unit('grade', 'One', theirs)).status).toBe(404)
})

test('once erased nothing tells who it was, for good; number, cards and money stay', async () => {
  const { db } = world.services
  const { id } = await add({ number: 'GONE1', birthday: '1990-01-01', consentedBy: 'self', parentName: 'P' })
  const card = await issueCard(world, { merchantId: family.ours.merchantId })
  await sql`update member_card set member_id = ${id} where id = ${card.cardId}`.execute(db)
  expect((await call(contract.eraseMember, { id, number: 'GONE1' })).code).toBe('member.hasCards')
  await sql`update member_card set state = 'cancelled' where id = ${card.cardId}`.execute(db)
  expect((await call(contract.eraseMember, { id, number: 'GONE2' })).code).toBe('member.otherNumber')
  expect((await call(contract.eraseMember, { id, number: 'GONE1' }, await tokenOf(['member.write']))).status).toBe(403)
  expect((await call(contract.eraseMember, { id, number: 'gone1' })).data).toMatchObject({ state: 'erased' })
  expect((await call(getMember, { id })).data).toMatchObject({
    number: 'GONE1',
    name: '',
    phone: '',
    birthday: null,
    parentName: '',
    balanceFen: 1_000,
    merchantCount: 0,
  })
  expect((await call(contract.editMember, { id, version: 2, ...typed() })).code).toBe('member.state')
  expect((await call(contract.resumeMember, { id })).code).toBe('member.state')
  await expect(sql`update member set name = 'again' where id = ${id}`.execute(db)).rejects.toThrow('not written again')
})

test('who sees a member through a tie alone changes nothing of it', async () => {
  const found = await sql<{ id: number }>`insert into member (number, name, merchant_id, registered_at)
    values ('TIED1', 'Theirs', ${family.theirs.merchantId}, ${NOON}) returning id`.execute(world.services.db)
  const id = found.rows[0]?.id ?? 0
  await sql`insert into member_merchant (member_id, merchant_id, linked_at)
    values (${id}, ${family.ours.merchantId}, ${NOON})`.execute(world.services.db)
  expect((await call(getMember, { id })).data).toMatchObject({ isOwn: false })
  expect((await call(contract.editMember, { id, version: 1, ...typed() })).status).toBe(404)
  expect((await call(contract.stopMember, { id })).status).toBe(404)
})
