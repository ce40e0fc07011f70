import { addCategory } from '@aisle/contract/catalog/category'
import { editProduct, getProduct, listProducts, relist } from '@aisle/contract/catalog/product'
import { getProductTemplate, importProducts, previewProducts } from '@aisle/contract/catalog/productImport'
import { writeXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { catalog } from '../manifest'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string
let merchantId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...(catalog.routes ?? [])))
  family = await addFamily(world.services.db, NOON)
  merchantId = family.ours.merchantId
  const user = await addUser(world.services.db, { merchantId, grants: ['product.*', 'category.*'] })
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
const HEAD = 'code,name,Purchase price,销售价,Codes-barres,Category'
const sheet = (...rows: string[]) => ({ merchantId, file: base64([HEAD, ...rows].join('\r\n')) })
const base64 = (text: string) => Buffer.from(text).toString('base64')
const codes = async (q: string) =>
  ((await call(listProducts, { q, sort: 'code', pageSize: 100 })).data.items as { code: string }[]).map(
    ({ code }) => code,
  )

test('the good rows are taken, the others are told line by line, and once more adds nothing', async () => {
  await call(addCategory, { merchantId, tree: 'goods', parentId: null, name: 'Teas' })
  const asked = sheet(
    'TEA-1,绿茶,1.50,3,6901028075763,Teas',
    'TEA-2,,1.50,3,,Coffees',
    'TEA-3,红茶,1.50,3,6901028075764,',
    'TEA-1,乌龙,1.50,3,,',
    'TEA-4,白茶,1.50,3.80,,Teas',
  )
  const seen = (await call(previewProducts, asked)).data
  expect([seen.rows, seen.good, seen.faultCount, seen.bare]).toEqual([5, 2, 4, 2])
  const told = (seen.faults as { row: number; code: string; column: string; message: string }[]).map(
    ({ row, code, column, message }) => `${row} ${code} ${column}: ${message}`,
  )
  expect(told).toEqual([
    '3 TEA-2 Name: This is required',
    '3 TEA-2 Category: There is no category Coffees',
    '4 TEA-3 Barcodes: A barcode has 8, 12, 13 or 14 digits and a right check digit; that of a case is written code*12',
    '5 TEA-1 Code: The code stands in the file twice',
  ])
  expect(await codes('TEA-')).toEqual([])
  expect((await call(importProducts, asked)).data).toEqual({ added: 2, left: 3, bare: 2 })
  expect(await codes('TEA-')).toEqual(['TEA-1', 'TEA-4'])
  expect(await codes('lvcha')).toEqual(['TEA-1'])
  expect(await codes('6901028075763')).toEqual(['TEA-1'])
  const again = await call(importProducts, asked)
  expect([again.status, again.code]).toEqual([422, 'sheet.faulty'])
  expect(await codes('TEA-')).toEqual(['TEA-1', 'TEA-4'])
})

test('what a sheet made tells who imported it, costs what it said, and is sold once it has a picture', async () => {
  const asked = sheet('NEW-1,New,1,2.5,,')
  await call(importProducts, asked)
  const [row] = (await call(listProducts, { code: 'NEW-1' })).data.items as { id: number }[]
  const id = row?.id ?? 0
  const { data } = await call(getProduct, { id })
  expect(data).toMatchObject({ state: 'offline', picture: null, costFen: 100, priceFen: 250, kind: 'goods' })
  expect(data.history).toEqual([expect.objectContaining({ action: 'catalog.importProducts' })])
  expect(data.prices).toEqual([expect.objectContaining({ costFen: 100, priceFen: 250 })])
  expect((await call(relist, { id })).code).toBe('product.noPicture')
  const typed = Object.fromEntries(Object.entries(data).filter(([name]) => name in editProduct.input.shape))
  expect((await call(editProduct, { ...typed, id, version: 1, picture: '/pictures/a.png' })).status).toBe(200)
  expect((await call(relist, { id })).status).toBe(200)
  const bared = await call(editProduct, { ...typed, id, version: 3, picture: null })
  expect(bared.code).toBe('product.noPicture')
})

test('a barcode that the library knows brings its picture and is tied to it; none is offered by itself', async () => {
  const { db } = world.services
  await sql`with made as (insert into library_item (name, state, picture)
      values ('Water', 'checked', '/pictures/water.png') returning id)
    insert into library_barcode (code, item_id) select '036000291452', id from made`.execute(db)
  const asked = sheet('WATER-1,Water,1,2,036000291452,', 'WATER-2,Other,1,2,96385074,')
  expect((await call(previewProducts, asked)).data).toMatchObject({ good: 2, bare: 1 })
  expect((await call(importProducts, asked)).data).toEqual({ added: 2, left: 0, bare: 1 })
  const kept = await sql<{ code: string; picture: string; state: string; tied: boolean }>`
    select p.code, p.picture, p.state, exists (select 1 from product_origin o where o.product_id = p.id) as tied
    from product p where code like 'WATER%' order by code`.execute(db)
  expect(kept.rows).toEqual([
    { code: 'WATER-1', picture: '/pictures/water.png', state: 'online', tied: true },
    { code: 'WATER-2', picture: null, state: 'offline', tied: false },
  ])
  const offered = await sql`select name, product_id from library_item
    where merchant_id = ${merchantId} and product_id is not null`.execute(db)
  expect(offered.rows).toEqual([])
})

test('of five thousand lines thirty-seven are wrong: those are told, and all others taken', async () => {
  const line = (n: number) => {
    const code = `BIG-${String(n).padStart(4, '0')}`
    if (n % 137 !== 0) return [code, `Biscuit ${n}`, 1.5, 3, '', '']
    return [
      [code, '', 1.5, 3, '', ''],
      [code, `Biscuit ${n}`, 'dear', 3, '', ''],
      [code, `Biscuit ${n}`, 1.5, 3, '6901028075764', ''],
      [code, `Biscuit ${n}`, 1.5, 3, '', 'Nowhere'],
    ][(n / 137) % 4]
  }
  const rows = [HEAD.split(','), ...Array.from({ length: 5_000 }, (_, n) => line(n) ?? [])]
  const file = Buffer.from(await writeXlsx({ sheets: [{ name: 'x', rows }] })).toString('base64')
  const seen = (await call(previewProducts, { merchantId, file })).data
  expect([seen.rows, seen.good, seen.faultCount]).toEqual([5_000, 4_963, 37])
  const told = (seen.faults as { row: number }[]).map(({ row }) => row)
  expect(told).toEqual(Array.from({ length: 37 }, (_, at) => at * 137 + 2))
  expect((await call(importProducts, { merchantId, file })).data).toMatchObject({ added: 4_963, left: 37 })
  const kept = await sql<{ count: number }>`select count(*)::int as count from product where code like 'BIG-%'`.execute(
    world.services.db,
  )
  expect(kept.rows).toEqual([{ count: 4_963 }])
})

test('two who take one sheet at once: one of them does, the other is told', async () => {
  const asked = sheet(...Array.from({ length: 50 }, (_, n) => `RACE-${String(n).padStart(2, '0')},Race,1,2,,`))
  const said = await Promise.all([call(importProducts, asked), call(importProducts, asked)])
  expect(said.map(({ status }) => status).sort((a, b) => a - b)).not.toEqual([200, 200])
  expect(said.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await codes('RACE-')).toHaveLength(50)
})

test('a sheet for a merchant out of sight is for nobody', async () => {
  const asked = { ...sheet('THEIRS-1,Theirs,1,2,,'), merchantId: family.theirs.merchantId }
  expect((await call(previewProducts, asked)).status).toBe(404)
  expect((await call(importProducts, asked)).status).toBe(404)
})

test('a book of a spreadsheet program is read as it shows its numbers and days; the template is empty', async () => {
  const rows = [
    ['编码 *', '名称', '进货价', '销售价', '条码', '保质期至'],
    ['BOOK-1', '书一', 2.2, 3.3 * 1.1, 6901028075770, new Date('2027-05-01')],
  ]
  const zh = (await call(getProductTemplate, { language: 'zh' })).data
  expect(zh.name).toBe('aisle-products.xlsx')
  expect((await call(previewProducts, { merchantId, file: String(zh.dataBase64) })).code).toBe('sheet.empty')
  const file = Buffer.from(await writeXlsx({ sheets: [{ name: 'x', rows }] })).toString('base64')
  expect((await call(importProducts, { merchantId, file })).data).toMatchObject({ added: 1, left: 0 })
  const kept = await sql`select price_fen as price, best_before::text as "bestBefore" from product
    where code = 'BOOK-1'`.execute(world.services.db)
  expect(kept.rows).toEqual([{ price: 363, bestBefore: '2027-05-01' }])
})
