import {
  addCategory,
  listCategoryChoices,
  listProductClasses,
  listTree,
  moveCategory,
  removeCategory,
} from '@aisle/contract/catalog/category'
import {
  addProduct,
  editProduct,
  getProduct,
  listProducts,
  relist,
  removeProduct,
  takeOffline,
} from '@aisle/contract/catalog/product'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { catalog } from './manifest'

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
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown>, body }
}
const cola = (code: string, more: Record<string, unknown> = {}) => ({
  merchantId,
  code,
  name: '可口可乐',
  picture: '/pictures/cola.png',
  costFen: 200,
  priceFen: 350,
  ...more,
})
const add = async (code: string, more: Record<string, unknown> = {}) =>
  Number((await call(addProduct, cola(code, more))).data.id)
const found = async (filter: Record<string, unknown>) =>
  ((await call(listProducts, filter)).data.items as { code: string }[]).map(({ code }) => code)
const branch = async (name: string, parentId: number | null = null, tree = 'goods') =>
  Number((await call(addCategory, { merchantId, tree, parentId, name })).data.id)

test('a product is made with all that is known of it, and found by name, sound, initials and barcode', async () => {
  const categoryId = await branch('Drinks')
  const below = await branch('Cola', categoryId)
  const conditionId = await branch('Thirst', null, 'condition')
  const id = await add('COLA-1', {
    categoryId: below,
    conditionIds: [conditionId],
    barcodes: [
      { code: '6901028075763', packUnits: 1 },
      { code: '96385074', packUnits: 24 },
    ],
    pictures: ['/pictures/a.png', '/pictures/b.png'],
    producedOn: '2026-10-01',
    bestBefore: '2027-10-01',
    remark: 'cold',
  })
  expect((await call(getProduct, { id })).data).toMatchObject({
    kind: 'goods',
    state: 'online',
    categoryName: 'Cola',
    conditionIds: [conditionId],
    barcodes: [
      { code: '6901028075763', packUnits: 1 },
      { code: '96385074', packUnits: 24 },
    ],
    producedOn: '2026-10-01',
    pictures: ['/pictures/a.png', '/pictures/b.png'],
  })
  for (const q of ['可乐', 'kekoukele', 'KKKL', '96385074', 'cola-1']) expect(await found({ q })).toEqual(['COLA-1'])
  expect(await found({ categoryId })).toEqual(['COLA-1'])
  expect(await found({ conditionId })).toEqual(['COLA-1'])
  expect(await found({ q: 'kekoukeler' })).toEqual([])
})

test('a code is one product’s within its merchant, and another merchant’s own affair', async () => {
  await add('SAME-1')
  expect((await call(addProduct, cola('SAME-1'))).code).toBe('product.codeTaken')
  const { db } = world.services
  const other = await addMerchant(db, { parentId: merchantId })
  expect((await call(addProduct, { ...cola('SAME-1'), merchantId: other })).status).toBe(200)
})

test.each([
  ['a wrong check digit', { barcodes: [{ code: '6901028075764' }] }, 'request.invalid'],
  ['a barcode typed twice', { barcodes: [{ code: '96385074' }, { code: '96385074' }] }, 'product.barcodeTwice'],
  ['no thumbnail', { picture: null }, 'product.noPicture'],
  ['a script for a picture', { picture: '/pictures/x.html' }, 'request.invalid'],
  ['six pictures', { pictures: Array.from({ length: 6 }, () => '/pictures/a.png') }, 'request.invalid'],
  ['a remark of 201 characters', { remark: 'x'.repeat(201) }, 'request.invalid'],
  ['an end before the beginning', { producedOn: '2026-10-02', bestBefore: '2026-10-01' }, 'product.dates'],
  ['a category that is not there', { categoryId: 999_999 }, 'product.categoryUnknown'],
  ['a negative price', { priceFen: -1 }, 'request.invalid'],
])('%s is refused', async (_, more, code) => {
  expect((await call(addProduct, cola('BAD-1', more))).code).toBe(code)
  expect(await found({ code: 'BAD-1' })).toEqual([])
})

test('a barcode that another product has names that product, and nothing of the edit is kept', async () => {
  await add('HAS-1', { barcodes: [{ code: '036000291452' }] })
  const id = await add('WANTS-1')
  const edited = { ...cola('WANTS-1'), id, version: 1, name: 'Renamed', barcodes: [{ code: '036000291452' }] }
  const { merchantId: _, code: __, ...typed } = edited
  const refused = await call(editProduct, typed)
  expect([refused.code, refused.body.fields]).toEqual([
    'product.barcodeTaken',
    [expect.objectContaining({ msg: 'HAS-1 可口可乐' })],
  ])
  expect((await call(getProduct, { id })).data).toMatchObject({ name: '可口可乐', version: 1 })
})

test('each price is kept with who set it; what stays as it was is not noted again', async () => {
  const id = await add('PRICE-1')
  const { merchantId: _, code: __, ...typed } = cola('PRICE-1')
  await call(editProduct, { id, version: 1, ...typed, brand: 'B' })
  await call(editProduct, { id, version: 2, ...typed, brand: 'B', priceFen: 400 })
  const kept = await sql<{ cost: number; price: number }>`select cost_fen as cost, price_fen as price
    from product_price where product_id = ${id} order by id`.execute(world.services.db)
  expect(kept.rows).toEqual([
    { cost: 200, price: 350 },
    { cost: 200, price: 400 },
  ])
})

test('two who edit one price: the second is told what the first saved', async () => {
  const id = await add('TWO-1')
  const { merchantId: _, code: __, ...typed } = cola('TWO-1')
  expect((await call(editProduct, { id, version: 1, ...typed, priceFen: 360 })).status).toBe(200)
  const stale = await call(editProduct, { id, version: 1, ...typed, priceFen: 370 })
  expect([stale.code, stale.body.fields]).toEqual([
    'edit.stale',
    expect.arrayContaining([expect.objectContaining({ path: 'priceFen', now: 360 })]),
  ])
})

test('a product tells where it stands, what it cost when, and who changed what', async () => {
  const [machine] = family.ours.machines
  const [slot] = machine?.slots ?? []
  const id = slot?.productId ?? 0
  const row = (await call(getProduct, { id })).data
  const typed = Object.fromEntries(Object.entries(row).filter(([name]) => name in editProduct.input.shape))
  const edited = { ...typed, id, picture: '/pictures/a.png', priceFen: 990 }
  expect((await call(editProduct, edited)).status).toBe(200)
  const told = (await call(getProduct, { id })).data as { standing: unknown[]; prices: unknown[]; history: unknown[] }
  expect(told.standing).toContainEqual(expect.objectContaining({ machineCode: machine?.code, slotCode: slot?.code }))
  expect(told.prices[0]).toMatchObject({ priceFen: 990, reason: '', byName: expect.any(String) })
  expect(told.history[0]).toMatchObject({
    action: 'catalog.editProduct',
    changes: expect.arrayContaining([expect.objectContaining({ field: 'priceFen', after: '990' })]),
  })
})

test('a product may be sorted into categories of its merchant and of those above, and no other', async () => {
  const { db } = world.services
  const made = await sql<{ id: number }>`insert into category (merchant_id, tree, name)
    select id, 'goods', 'Choice of ' || id from merchant order by id returning id`.execute(db)
  const { items } = (await call(listCategoryChoices, { merchantId })).data as { items: { name: string }[] }
  const names = items.map(({ name }) => name)
  expect(names).toContain(`Choice of ${merchantId}`)
  expect(names).not.toContain(`Choice of ${family.theirs.merchantId}`)
  expect((await call(listCategoryChoices, { merchantId: family.theirs.merchantId })).data.items).toEqual([])
  await sql`delete from category where id = any(${made.rows.map(({ id }) => id)}::bigint[])`.execute(db)
})

test('it goes offline and is listed again, each once', async () => {
  const id = await add('STATE-1')
  expect((await call(relist, { id })).code).toBe('product.state')
  expect((await call(takeOffline, { id })).status).toBe(200)
  expect(await found({ q: 'STATE-1', state: 'offline' })).toEqual(['STATE-1'])
  expect((await call(takeOffline, { id })).code).toBe('product.state')
  expect((await call(relist, { id })).status).toBe(200)
})

test('one that nothing speaks of is deleted with its prices; another says what speaks of it', async () => {
  const { db } = world.services
  const [unused, offered] = [await add('GONE-1'), await add('CODES-1')]
  await sql`with made as (
      insert into pickup_batch (merchant_id, description, scope, count, expires_at, created_at)
      values (${merchantId}, 'Spring gift', 'all', 1, ${NOON}::timestamptz + interval '1 day', ${NOON}) returning id)
    insert into pickup_content (batch_id, position, product_id) select id, 0, ${offered} from made`.execute(db)
  const [slot] = family.ours.machines[0]?.slots ?? []
  const planned = slot?.productId ?? 0
  await sql`update slot set product_id = null where product_id = ${planned}`.execute(db)
  const usesOf = async (id: number) => {
    const { code, body } = await call(removeProduct, { id })
    return [code, (body.fields as { msg: string }[]).map(({ msg }) => msg)]
  }
  expect(await usesOf(offered)).toEqual(['request.inUse', ['Spring gift']])
  // Its slots hold something else by now; what lies in them does not.
  expect(await usesOf(planned)).toEqual([
    'request.inUse',
    expect.arrayContaining([`${family.ours.machines[0]?.code} ${slot?.code}`]),
  ])
  expect((await call(removeProduct, { id: unused })).status).toBe(200)
  expect(await found({ code: 'GONE-1' })).toEqual([])
})

test('a branch never comes to stand below itself, nor a fifth level, and is kept while anything is in it', async () => {
  const a = await branch('A')
  const b = await branch('B', a)
  const c = await branch('C', b)
  const d = await branch('D', c)
  expect((await call(addCategory, { merchantId, tree: 'goods', parentId: d, name: 'E' })).code).toBe('category.tooDeep')
  expect((await call(moveCategory, { id: a, parentId: c, before: null })).code).toBe('category.belowItself')
  expect((await call(removeCategory, { id: c })).code).toBe('request.inUse')
  await add('IN-D', { categoryId: d })
  expect((await call(removeCategory, { id: d })).code).toBe('request.inUse')
  expect((await call(addCategory, { merchantId, tree: 'goods', parentId: b, name: 'C' })).code).toBe(
    'category.nameTaken',
  )
  expect((await call(addCategory, { merchantId, tree: 'medicine', parentId: b, name: 'X' })).code).toBe(
    'category.otherTree',
  )
})

test('another merchant’s branch is no place for one of ours, nor for a product', async () => {
  const { db } = world.services
  const made = await sql<{ id: number }>`insert into category (merchant_id, tree, name)
    values (${family.theirs.merchantId}, 'goods', 'Theirs') returning id`.execute(db)
  const parentId = made.rows[0]?.id ?? 0
  const id = await branch('Ours')
  expect((await call(addCategory, { merchantId, tree: 'goods', parentId, name: 'X' })).status).toBe(404)
  expect((await call(moveCategory, { id, parentId, before: null })).status).toBe(404)
  expect((await call(addProduct, cola('THEIRS-1', { categoryId: parentId }))).code).toBe('product.categoryUnknown')
})

test('a branch is moved before another, and the tree counts what each holds with all below', async () => {
  const tree = async () =>
    (
      (await call(listTree, { tree: 'combination' })).data.items as { id: number; name: string; parentId: number }[]
    ).map(({ name, parentId }) => [name, parentId])
  const [one, two, three] = [
    await branch('One', null, 'combination'),
    await branch('Two', null, 'combination'),
    await branch('Three', null, 'combination'),
  ]
  expect((await call(moveCategory, { id: three, parentId: null, before: one })).status).toBe(200)
  expect(await tree()).toEqual([
    ['Three', null],
    ['One', null],
    ['Two', null],
  ])
  await call(moveCategory, { id: one, parentId: two, before: null })
  expect(await tree()).toEqual([
    ['Three', null],
    ['Two', null],
    ['One', two],
  ])
  await call(moveCategory, { id: one, parentId: null, before: null })
  expect(await tree()).toEqual([
    ['Three', null],
    ['Two', null],
    ['One', null],
  ])
})

test('a condition finds what its lower ones are for; the classes of the specification count alike', async () => {
  const pain = await branch('Pain', null, 'condition')
  const headache = await branch('Headache', pain, 'condition')
  await add('PILL-1', { conditionIds: [headache] })
  expect(await found({ conditionId: pain })).toEqual(['PILL-1'])
  const { items } = (await call(listProductClasses, { yclx: 'condition' })).data as { items: unknown[] }
  expect(items).toContainEqual({ ycid: pain, yclx: 'condition', ycmc: 'Pain', ycsl: 1 })
  expect(items).toContainEqual({ ycid: headache, yclx: 'condition', ycmc: 'Headache', ycsl: 1 })
})

test('two that are moved below each other at once make no ring', async () => {
  const [a, b] = [await branch('Ring A', null, 'condition'), await branch('Ring B', null, 'condition')]
  const said = await Promise.all([
    call(moveCategory, { id: a, parentId: b, before: null }),
    call(moveCategory, { id: b, parentId: a, before: null }),
  ])
  expect(said.map(({ status }) => status).sort((x, y) => x - y)).toEqual([200, 409])
})
