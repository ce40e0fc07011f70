import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, crc32 } from 'node:zlib'
import { LOGO_LONGEST_SIDE, MAX_PICTURE_BYTES, uploadPicture } from '@aisle/contract/system/picture'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type Answer, type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './picture.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let token: string
let userId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const user = await addUser(world.services.db, { merchantId: await addMerchant(world.services.db) })
  userId = user.id
  token = await addSession(world.services.db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const upload = (file: Buffer): Promise<Answer> =>
  http.call(uploadPicture, { dataBase64: file.toString('base64') }, { token })

async function kept(answer: Answer): Promise<Buffer> {
  const { url } = answer.body.data as { url: string }
  expect(url).toMatch(/^\/pictures\/[0-9a-f]{64}\.(jpg|png)$/)
  return readFile(join(world.services.dataDir, url))
}

const red = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c00' } })

/** A chunk of a PNG with its length and checksum. */
function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

/** A well-formed PNG of one colour, a few kilobytes for any number of pixels. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  const sign = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([sign, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

test('a picture is kept without what else was in its file, upright', async () => {
  const file = await red(40, 20)
    .withExif({ IFD0: { Artist: 'a place on a map' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const bytes = await kept(await upload(file))
  const { width, height, exif, format } = await sharp(bytes).metadata()
  expect({ width, height, exif, format }).toEqual({ width: 20, height: 40, exif: undefined, format: 'jpeg' })
})

test('the same picture twice is one file, and both uploads have their owner', async () => {
  const file = await red(8, 8).png().toBuffer()
  const answers = [await upload(file), await upload(file)]
  expect(answers[0]?.body.data).toEqual(answers[1]?.body.data)
  const name = Object(answers[0]?.body.data).url.slice('/pictures/'.length) as string
  const found = await sql`select uploaded_by as by, width, height from picture_upload where name = ${name}`.execute(
    world.services.db,
  )
  expect(found.rows).toEqual([
    { by: userId, width: 8, height: 8 },
    { by: userId, width: 8, height: 8 },
  ])
})

test('a picture that is also a script or an archive is only a picture afterwards', async () => {
  const script = '<script>alert(1)</script>PK\u0003\u0004'
  const file = Buffer.concat([await red(10, 10).png().toBuffer(), Buffer.from(script)])
  const bytes = await kept(await upload(file))
  expect(bytes.includes('script')).toBe(false)
  expect(bytes.includes('PK\u0003\u0004')).toBe(false)
})

test('a large picture is scaled down to 2,000 pixels a side', async () => {
  const { width, height } = await sharp(await kept(await upload(bomb(4_000, 1_000)))).metadata()
  expect({ width, height }).toEqual({ width: 2_000, height: 500 })
})

test.each(['jpeg', 'png'] as const)(
  'a %s that comes in passes is held whole, so that fewer pixels are taken',
  async (kind) => {
    const at = (side: number) => red(side, side).toFormat(kind, { progressive: true }).toBuffer()
    expect((await upload(await at(2_400))).status).toBe(200)
    expect((await upload(await at(2_600))).body.code).toBe('picture.tooManyPixels')
  },
)

test('a logo is scaled down to what stands beside a name', async () => {
  const file = (await red(1_200, 300).png().toBuffer()).toString('base64')
  const asked = { dataBase64: file, longestSide: LOGO_LONGEST_SIDE }
  const { width, height } = await sharp(await kept(await http.call(uploadPicture, asked, { token }))).metadata()
  expect({ width, height }).toEqual({ width: 320, height: 80 })
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'

test.each([
  ['a bomb of 900 million pixels', () => bomb(30_000, 30_000), 422, 'picture.tooManyPixels'],
  ['an svg', () => Buffer.from(svg), 422, 'picture.notPicture'],
  [
    'a gif',
    () => Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;', 'latin1'),
    422,
    'picture.notPicture',
  ],
  ['nothing', () => Buffer.alloc(0), 422, 'picture.notPicture'],
  ['only the beginning of a jpg', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 422, 'picture.broken'],
  [
    'the sign of a png before an svg',
    () => Buffer.concat([bomb(1, 1).subarray(0, 8), Buffer.from(svg)]),
    422,
    'picture.broken',
  ],
  ['more than 500 kB', () => Buffer.concat([bomb(1, 1), Buffer.alloc(MAX_PICTURE_BYTES)]), 413, 'picture.tooLarge'],
  ['far more than 500 kB', () => Buffer.alloc(700_000), 422, 'request.invalid'],
])('%s is refused, and nothing is kept', async (_, file, status, code) => {
  const answer = await upload(file())
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

test.each(['jpeg', 'png'] as const)('a truncated %s is refused', async (format) => {
  const noise = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, i) => (i * 7919) % 251))
  const whole = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
    .toFormat(format)
    .toBuffer()
  expect((await upload(whole)).status).toBe(200)
  const answer = await upload(whole.subarray(0, Math.floor(whole.length * 0.6)))
  expect([answer.status, answer.body.code]).toEqual([422, 'picture.broken'])
})

test('who uploads without end is asked to slow down, and may go on an hour later', async () => {
  const other = await addUser(world.services.db, { merchantId: await firstMerchant() })
  const asOther = { token: await addSession(world.services.db, other.id, NOON) }
  await sql`insert into picture_upload (name, merchant_id, uploaded_by, uploaded_at, bytes, width, height)
    select repeat('a', 64) || '.png', merchant_id, id, ${NOON}, 9, 9, 9 from app_user, generate_series(1, 120)
    where id = ${other.id}`.execute(world.services.db)
  const dataBase64 = bomb(5, 5).toString('base64')
  expect((await http.call(uploadPicture, { dataBase64 }, asOther)).body.code).toBe('request.slowDown')
  await sql`update picture_upload set uploaded_at = uploaded_at - interval '61 minutes'
    where uploaded_by = ${other.id}`.execute(world.services.db)
  expect((await http.call(uploadPicture, { dataBase64 }, asOther)).status).toBe(200)
})

async function firstMerchant(): Promise<number> {
  const found = await sql<{ id: number }>`select id from merchant limit 1`.execute(world.services.db)
  return found.rows[0]?.id ?? 0
}
