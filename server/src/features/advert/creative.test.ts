import { createHash } from 'node:crypto'
import {
  addCreative,
  approveCreative,
  beginUpload,
  getCreative,
  listCreatives,
  openCreative,
  sendPart,
  turnDownCreative,
  withdrawCreative,
} from '@aisle/contract/advert/creative'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type Answer, type HttpWorld, openHttp, statusAndCode } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { serveFileLinks } from '../../transport/http/files'
import { routes } from './advert.routes'
import { mp4, webm } from './media.testing'
import { upload } from './testing'
import { forgetOld } from './upload.commands'

const NOON = new Date('2026-11-20T04:00:00Z')
const MEGABYTE = 1024 * 1024
let world: World
let http: HttpWorld
let maker: { token: string }
let reviewer: { token: string }

beforeAll(async () => {
  world = await openWorld(NOON)
  const { services } = world
  http = await openHttp(world, routesWith(...routes), (app) => serveFileLinks(app, services))
  const merchantId = await addMerchant(services.db)
  const signIn = async () => {
    const { id } = await addUser(services.db, { merchantId, grants: ['*'] })
    return { token: await addSession(services.db, id, NOON) }
  }
  maker = await signIn()
  reviewer = await signIn()
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const dataOf = (answer: Answer) => answer.body.data as Record<string, unknown>
const picture = (format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png') =>
  sharp({ create: { width: 90, height: 160, channels: 3, background: '#07c' } })
    .toFormat(format)
    .toBuffer()

let names = 0
async function make(file: Buffer, said: Record<string, unknown> = {}): Promise<Answer> {
  names += 1
  const uploadId = await upload(http, file, maker)
  return http.call(addCreative, { uploadId, name: `Advert ${names}`, advertised: 'goods', seconds: 8, ...said }, maker)
}
const made = async (file: Buffer, said: Record<string, unknown> = {}) => Number(dataOf(await make(file, said)).id)
const seen = async (id: number) => dataOf(await http.call(getCreative, { id }, maker))

test('a picture is drawn anew and shown; a video is as long as it says, whatever was said of it', async () => {
  const drawn = await seen(await made(await picture()))
  expect(drawn).toMatchObject({ media: 'png', width: 90, height: 160, seconds: 8, state: 'draft', isOwn: true })
  expect(drawn.preview).toMatch(/^\/pictures\/[0-9a-f]{64}\.png$/)
  expect(await seen(await made(await picture('webp')))).toMatchObject({ media: 'jpg', width: 90 })
  expect(await seen(await made(mp4({ seconds: 21 })))).toMatchObject({
    media: 'mp4',
    width: 1080,
    seconds: 21,
    preview: null,
  })
  expect(await seen(await made(webm(9)))).toMatchObject({ media: 'webm', seconds: 9 })
})

const zip = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), Buffer.alloc(5_000)])
test.each<[string, () => Buffer | Promise<Buffer>, number, string]>([
  ['a zip that is called a video', () => zip, 422, 'creative.notMedia'],
  ['a gif', () => picture('gif'), 422, 'creative.notMedia'],
  ['a script', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 422, 'creative.notMedia'],
  ['a cut video', () => mp4({ filler: 9_000, moovFirst: true }).subarray(0, 6_000), 422, 'creative.broken'],
  ['a cut picture', async () => (await picture()).subarray(0, 60), 422, 'picture.broken'],
  ['a video of two minutes', () => mp4({ seconds: 120 }), 422, 'creative.tooLong'],
  ['a video of no length', () => mp4({ seconds: 0 }), 422, 'creative.noLength'],
  ['what a browser recorded', () => webm(null), 422, 'creative.noLength'],
])('%s is refused, and nothing is kept', async (_, file, status, code) => {
  const before = (await world.services.files.list('adverts')).filter((name) => !name.startsWith('upload'))
  expect(statusAndCode(await make(await file()))).toEqual([status, code])
  expect((await world.services.files.list('adverts')).filter((name) => !name.startsWith('upload'))).toEqual(before)
})

test('500 MB are refused before anything of them is sent; a picture of 30 MB when it is looked at', async () => {
  expect(statusAndCode(await http.call(beginUpload, { bytes: 500 * MEGABYTE }, maker))).toEqual([
    413,
    'creative.tooLarge',
  ])
  const large = Buffer.concat([await picture(), Buffer.alloc(21 * MEGABYTE)])
  expect(statusAndCode(await make(large))).toEqual([413, 'creative.tooLarge'])
})

test('a part that comes twice, too early or beyond the end changes nothing', async () => {
  const file = mp4({ filler: 700_000 })
  const { id } = dataOf(await http.call(beginUpload, { bytes: file.length }, maker))
  const send = (at: number, to: number) =>
    http.call(sendPart, { id, at, dataBase64: file.subarray(at, to).toString('base64') }, maker)
  const received = async (answer: Promise<Answer>) => dataOf(await answer).received
  expect(await received(send(300_000, 500_000))).toBe(0)
  expect(await received(send(0, 300_000))).toBe(300_000)
  expect(await received(send(0, 300_000))).toBe(300_000)
  const early = await http.call(addCreative, { uploadId: id, name: 'Too early', advertised: 'goods' }, maker)
  expect(statusAndCode(early)).toEqual([409, 'upload.incomplete'])
  await Promise.all([send(300_000, 600_000), send(300_000, 600_000)])
  const beyond = { id, at: 600_000, dataBase64: Buffer.alloc(500_000).toString('base64') }
  expect(statusAndCode(await http.call(sendPart, beyond, maker))).toEqual([413, 'creative.tooLarge'])
  await send(600_000, file.length)
  const strange = await http.call(addCreative, { uploadId: id, name: 'Not mine', advertised: 'goods' }, reviewer)
  expect(statusAndCode(strange)).toEqual([404, 'request.notFound'])
  const whole = { uploadId: id, name: 'In parts', advertised: 'goods' }
  const key = 'the-same-key-twice'
  const [first, again] = [
    await http.call(addCreative, whole, { ...maker, key }),
    await http.call(addCreative, whole, { ...maker, key }),
  ]
  expect(again.body.data).toEqual(first.body.data)
  expect((await seen(Number(dataOf(first).id))).sha256).toBe(createHash('sha256').update(file).digest('hex'))
})

test.each([
  ['rx', '', 'creative.rx', 'article 15'],
  ['tobacco', '', 'creative.tobacco', 'article 22'],
  ['otc', '', 'creative.approvalMissing', 'article 46'],
  ['device', '', 'creative.approvalMissing', 'article 46'],
  ['health_food', '', 'creative.approvalMissing', 'article 46'],
])('an advert for %s without approval is refused by law', async (advertised, approvalNo, code, article) => {
  const answer = await http.call(
    addCreative,
    { uploadId: await upload(http, mp4(), maker), name: advertised, advertised, approvalNo },
    { ...maker, headers: { 'accept-language': 'en' } },
  )
  expect(statusAndCode(answer)).toEqual([422, code])
  expect(String(answer.body.msg)).toContain(article)
})

test('who made it does not review it, and what its law wants said has to be seen', async () => {
  const id = await made(mp4(), { advertised: 'otc', approvalNo: '浙药广审(视)第260101-00123号' })
  const approve = (more: Record<string, unknown>, as: { token: string }) =>
    http.call(approveCreative, { id, ...more }, as)
  expect(statusAndCode(await approve({ showsWarning: true }, maker))).toEqual([409, 'creative.ownWork'])
  expect(statusAndCode(await approve({}, reviewer))).toEqual([422, 'creative.warningUnseen'])
  expect((await approve({ showsWarning: true }, reviewer)).status).toBe(200)
  expect(statusAndCode(await approve({ showsWarning: true }, reviewer))).toEqual([409, 'creative.state'])
  expect(await seen(id)).toMatchObject({ state: 'live' })
  expect(dataOf(await http.call(withdrawCreative, { id }, maker))).toEqual({ id, state: 'withdrawn' })
  const other = await made(mp4())
  await http.call(turnDownCreative, { id: other, reason: 'Blurred' }, reviewer)
  expect(await seen(other)).toMatchObject({ state: 'turned_down', turnedDownFor: 'Blurred' })
})

test('a name is taken once, and each state is found by its filter', async () => {
  const id = await made(mp4(), { name: 'Only one' })
  expect(statusAndCode(await make(mp4(), { name: 'Only one' }))).toEqual([409, 'creative.nameTaken'])
  const { items } = dataOf(await http.call(listCreatives, { q: 'only', state: 'draft' }, maker)) as {
    items: { id: number }[]
  }
  expect(items.map((each) => each.id)).toEqual([id])
})

test('the file is had by its address, also from where a line was cut, and by nobody who guesses', async () => {
  const file = mp4({ filler: 4_000 })
  const id = await made(file)
  const url = String(dataOf(await http.call(openCreative, { id }, maker)).url)
  const whole = await http.app.inject({ method: 'GET', url })
  expect([whole.statusCode, whole.headers['content-type'], whole.rawPayload.equals(file)]).toEqual([
    200,
    'video/mp4',
    true,
  ])
  const rest = await http.app.inject({ method: 'GET', url, headers: { range: 'bytes=1000-' } })
  expect([rest.statusCode, rest.rawPayload.equals(file.subarray(1000))]).toEqual([206, true])
  expect((await http.app.inject({ method: 'GET', url: `${url.slice(0, -4)}AAAA` })).statusCode).toBe(404)
})

test('files that nobody went on with are forgotten after a day', async () => {
  await http.call(beginUpload, { bytes: 10 }, maker)
  world.setNow(new Date(NOON.getTime() + 25 * 3_600_000))
  await forgetOld(world.services)
  world.setNow(NOON)
  expect((await sql`select from advert_upload`.execute(world.services.db)).rows).toEqual([])
  expect((await world.services.files.list('adverts')).filter((name) => name.startsWith('upload'))).toEqual([])
})
