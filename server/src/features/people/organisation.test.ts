import {
  addOrganisation,
  getOrganisation,
  moveOrganisation,
  removeOrganisation,
  editOrganisation,
  resumeOrganisation,
  stopOrganisation,
  treeOrganisations,
} from '@aisle/contract/people/organisation'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, data, openPeople, type People } from './testing'
import { statusAndCode } from '../../testing/http'

let people: People
let merchantId: number
let boss: Caller

beforeAll(async () => {
  people = await openPeople()
  merchantId = people.family.ours.merchantId
  boss = await people.as({ merchantId, grants: ['organisation.*', 'machine.read'] })
})
afterAll(() => people.close())

type Unit = { id: number; parentId: number | null; name: string; version: number; memberTotal: number }
const tree = async () => data<{ items: Unit[] }>(await boss.call(treeOrganisations)).items
const unit = async (id: number) =>
  data<Unit & { above: string[]; state: string }>(await boss.call(getOrganisation, { id }))
const added = async (name: string, parentId: number | null = null) =>
  data<{ id: number }>(await boss.call(addOrganisation, { name, parentId })).id

test('units hang below each other, and people below count above', async () => {
  const field = await added('Field')
  const route = await added('Route', field)
  await people.as({ merchantId, kind: 'ordinary' })
  const { id } = await people.as({ merchantId, kind: 'ordinary' })
  await sql`update app_user set organisation_id = ${route} where id = ${id}`.execute(people.db)
  const items = await tree()
  expect(items.find((each) => each.id === field)).toMatchObject({ parentId: null, memberTotal: 1 })
  expect((await unit(route)).above).toEqual(['Field'])
  const refused = await boss.call(removeOrganisation, { id: route })
  expect(statusAndCode(refused)).toEqual([409, 'request.inUse'])
  expect(refused.text).toContain('user')
  expect(statusAndCode(await boss.call(removeOrganisation, { id: field }))).toEqual([409, 'request.inUse'])
})

test('two of one name at one place are refused, elsewhere they are not', async () => {
  const top = await added('Twins')
  expect(statusAndCode(await boss.call(addOrganisation, { name: 'Twins' }))).toEqual([409, 'organisation.nameTaken'])
  expect(statusAndCode(await boss.call(addOrganisation, { name: 'Twins', parentId: top }))[0]).toBe(200)
})

test('a unit is moved with all below it, never below itself, and never too deep', async () => {
  const from = await added('From')
  const below = await added('Below', from)
  const to = await added('To')
  const move = async (id: number, parentId: number | null) =>
    statusAndCode(await boss.call(moveOrganisation, { id, version: (await unit(id)).version, parentId }))
  expect(await move(from, to)).toEqual([200, 'H0000'])
  expect((await unit(below)).above).toEqual(['To', 'From'])
  expect(await move(to, below)).toEqual([409, 'organisation.ownBranch'])
  let deepest = below
  for (let level = 4; level <= 8; level += 1) deepest = await added(`Level ${level}`, deepest)
  expect(statusAndCode(await boss.call(addOrganisation, { name: 'Ninth', parentId: deepest }))).toEqual([
    409,
    'organisation.tooDeep',
  ])
  const another = await added('Another')
  await added('Child', another)
  expect(await move(another, deepest)).toEqual([409, 'organisation.tooDeep'])
})

test('the second of two who rename is told', async () => {
  const id = await added('Old name')
  const { version } = await unit(id)
  const rename = (name: string) => boss.call(editOrganisation, { id, version, name, kind: 'team' })
  expect(statusAndCode(await rename('First'))[0]).toBe(200)
  expect(statusAndCode(await rename('Second'))).toEqual([409, 'edit.stale'])
})

test('a unit is stopped, used again, and deleted once it is empty', async () => {
  const id = await added('Pilot')
  expect(statusAndCode(await boss.call(resumeOrganisation, { id }))).toEqual([409, 'organisation.state'])
  expect(statusAndCode(await boss.call(stopOrganisation, { id }))[0]).toBe(200)
  expect((await unit(id)).state).toBe('stopped')
  expect(statusAndCode(await boss.call(resumeOrganisation, { id }))[0]).toBe(200)
  expect(statusAndCode(await boss.call(removeOrganisation, { id }))[0]).toBe(200)
  expect(statusAndCode(await boss.call(getOrganisation, { id }))).toEqual([404, 'request.notFound'])
})

test('units of others are neither seen nor hung under', async () => {
  const theirs = people.family.theirs.ids['organisations'] ?? 0
  expect(statusAndCode(await boss.call(addOrganisation, { name: 'Below theirs', parentId: theirs }))[0]).toBe(404)
  const mine = await added('Mine')
  const { version } = await unit(mine)
  expect(statusAndCode(await boss.call(moveOrganisation, { id: mine, version, parentId: theirs }))[0]).toBe(404)
  const asked = await boss.call(treeOrganisations, { merchantId: people.family.theirs.merchantId })
  expect(statusAndCode(asked)).toEqual([404, 'request.notFound'])
})
