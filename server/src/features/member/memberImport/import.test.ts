import { getMember, listMembers } from '@aisle/contract/member/member'
import { getMemberTemplate, importMembers, previewMembers } from '@aisle/contract/member/memberImport'
import { addMember } from '@aisle/contract/member/memberRecord'
import { addMemberUnit } from '@aisle/contract/member/memberUnit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { member } from '../manifest'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string
let merchantId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...(member.routes ?? [])))
  family = await addFamily(world.services.db, NOON)
  merchantId = family.ours.merchantId
  const user = await addUser(world.services.db, { merchantId, grants: ['member.*'] })
  token = await addSession(world.services.db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { status, body } = await http.call(endpoint, { language: 'en', ...(input as object) }, { token })
  return { status, code: body.code, data: (body.data ?? {}) as Record<string, unknown> }
}
const HEAD = 'Member no.,姓名,Phone,Birthday,Level,School or company,Consent of'
const sheet = (...rows: string[]) => ({
  merchantId,
  file: Buffer.from([HEAD, ...rows].join('\r\n')).toString('base64'),
})
const unit = async (kind: string, name: string, parentId: number | null = null) =>
  (await call(addMemberUnit, { merchantId, kind, name, parentId })).data.id as number
const found = async (q: string) => (await call(listMembers, { q })).data.items as Record<string, unknown>[]

test('a year of a school comes in at once; each wrong row is told by its line, and once more adds nobody', async () => {
  const school = await unit('school', 'North')
  await unit('class', '3A', await unit('grade', 'Third', school))
  await unit('class', '3A', await unit('grade', 'Fourth', school))
  await call(addMember, { merchantId, number: 'OLD1', name: 'Old' })
  const asked = sheet(
    'PUPIL1,Ann,13800000001,2015-09-01,2,North/Third/3A,A parent or guardian',
    ',Ben,13800000002,1985/3/2,,North,本人同意',
    'PUPIL3,Cid,,2015-02-31,,,',
    'PUPIL4,Dot,,2015-09-01,,3A,本人同意',
    'OLD1,Eve,12,,10,South,somebody',
    'PUPIL1,Fay,,2026-12-01,,,',
    ',Ben,13800000002,,,,',
    ',,,,3,,',
  )
  const seen = (await call(previewMembers, asked)).data
  expect([seen.rows, seen.good, seen.consentMissing]).toEqual([8, 2, 0])
  const told = (seen.faults as { row: number; column: string; message: string }[]).map(
    ({ row, column, message }) => `${row} ${column}: ${message}`,
  )
  expect(told).toEqual([
    '4 Birthday: This is not a valid date or time',
    '5 School or company: Several are called 3A: write the whole way, as School/Grade/Class',
    '5 Consent of: Under fourteen a parent or guardian has to agree. Choose that',
    '6 Phone: This is not in the right format',
    '6 Level: Must be 9 or less',
    '6 School or company: The merchant has no South: add it first',
    '6 Consent of: Write the member, or a parent or guardian, or nothing',
    '7 Birthday: The birthday is later than today. Correct it',
    '7 Member no.: The number stands in the file twice',
    '8 Name: This name and phone stand in the file twice; write numbers if they are two people',
    '9 Name: This is required',
  ])
  expect(await found('Ann')).toEqual([])
  expect((await call(importMembers, asked)).data).toEqual({ added: 2, left: 6 })
  expect(await found('Ann')).toMatchObject([
    { number: 'PUPIL1', level: 2, unitName: 'North / Third / 3A', merchantCount: 1, birthday: '2015-09-01' },
  ])
  const [ben] = await found('Ben')
  expect(ben).toMatchObject({ number: expect.stringMatching(/^M\d{8}$/), birthday: '1985-03-02' })
  const { data } = await call(getMember, { id: ben?.id })
  expect(data).toMatchObject({ consentedBy: 'self', isOwn: true })
  expect((await call(importMembers, asked)).code).toBe('sheet.faulty')
  expect(await found('Ben')).toHaveLength(1)
})

test('of two who take one sheet at once one does; for a merchant out of sight nobody does', async () => {
  const asked = sheet(...Array.from({ length: 40 }, (_, n) => `RACE${String(n).padStart(2, '0')},Race ${n},,,,,`))
  const said = await Promise.all([call(importMembers, asked), call(importMembers, asked)])
  expect(said.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await call(listMembers.count, { q: 'Race' })).toMatchObject({ data: { total: 40 } })
  const theirs = { ...sheet('THEM1,Them,,,,,'), merchantId: family.theirs.merchantId }
  expect((await call(previewMembers, theirs)).status).toBe(404)
  expect((await call(importMembers, theirs)).status).toBe(404)
})

test('the template names its columns as the sheet is read, and holds nobody', async () => {
  const { data } = await call(getMemberTemplate, { language: 'zh' })
  expect(data.name).toBe('aisle-members.xlsx')
  expect((await call(previewMembers, { merchantId, file: String(data.dataBase64) })).code).toBe('sheet.empty')
})
