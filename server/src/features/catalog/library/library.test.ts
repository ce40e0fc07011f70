import * as library from '@aisle/contract/catalog/library'
import { addProduct, editProduct, getProduct } from '@aisle/contract/catalog/product'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { catalog } from '../manifest'
import { countPendingAdditions } from '../public'

const NOON = new Date('2026-11-20T04:00:00Z')
const PICTURE = '/pictures/cola.png'
let world: World
let http: HttpWorld
let family: Family
let merchant: string
let other: string
let platform: string
let merchantId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...(catalog.routes ?? [])))
  family = await addFamily(world.services.db, NOON)
  merchantId = family.ours.merchantId
  merchant = await tokenOf(merchantId, ['product.*', 'library.review'])
  other = await tokenOf(family.theirs.merchantId, ['product.*'])
  platform = await tokenOf(family.platformId, ['*'], 'platform_admin')
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const tokenOf = async (id: number, grants: string[], kind?: 'platform_admin') => {
  const user = await addUser(world.services.db, { merchantId: id, grants, ...(kind && { kind }) })
  return addSession(world.services.db, user.id, NOON)
}
const call = async (token: string, ...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
const item = async (name: string, more: Record<string, unknown> = {}) =>
  Number((await call(platform, library.addLibraryItem, { name, picture: PICTURE, ...more })).data.id)
const copyOne = (token: string, id: number, code: string, of = merchantId) =>
  call(token, library.copyLibraryItem, { id, merchantId: of, code, costFen: 100, priceFen: 350 })
const product = async (code: string, more: Record<string, unknown> = {}) =>
  Number(
    (
      await call(merchant, addProduct, {
        merchantId,
        code,
        name: code,
        picture: PICTURE,
        costFen: 1,
        priceFen: 2,
        ...more,
      })
    ).data.id,
  )
const outcomes = ({ data }: { data: Record<string, unknown> }) =>
  (data.outcomes as { outcome: string }[]).map(({ outcome }) => outcome)
const additions = async (q: string, token = platform) =>
  (await call(token, library.listLibraryAdditions, { q })).data.items as { id: number; state: string }[]
const offer = async (code: string, more: Record<string, unknown> = {}) => {
  await call(merchant, library.offerProducts, { ids: [await product(code, more)] })
  return (await additions(code))[0]?.id ?? 0
}

test('an item is found by name, sound, initials and barcode, in whichever length that is printed', async () => {
  const id = await item('可口可乐', { brand: 'Coca', barcodes: [{ code: '036000291452' }] })
  for (const q of ['可乐', 'kekoukele', 'KKKL', 'coca', '036000291452', '0036000291452']) {
    const { items } = (await call(merchant, library.listLibraryItems, { q })).data as { items: { id: number }[] }
    expect(items.map((each) => each.id)).toEqual([id])
  }
})

test('a number is one item’s, in-house numbers stay out, and only the platform writes', async () => {
  await item('One', { barcodes: [{ code: '6901028075763' }] })
  const add = async (more: Record<string, unknown>, token = platform) =>
    (await call(token, library.addLibraryItem, { name: 'Two', picture: PICTURE, ...more })).code
  expect(await add({ barcodes: [{ code: '06901028075763' }] })).toBe('library.barcodeTaken')
  expect(await add({ barcodes: [{ code: '96385074' }, { code: '00000096385074' }] })).toBe('product.barcodeTwice')
  expect(await add({ barcodes: [{ code: '2012345678903' }] })).toBe('request.invalid')
  expect(await add({ picture: null })).toBe('library.noPicture')
  expect(await add({}, merchant)).toBe('request.notPermitted')
})

test('five hundred at once: each row says what came of it; copies have codes and prices, some their own', async () => {
  const ids = await Promise.all([
    item('Copied'),
    item('Had'),
    item('Coded'),
    item('Twin', { barcodes: [{ code: '96385074' }] }),
  ])
  const [copied, had, coded, twin] = ids
  const pill = await item('Pill', { kind: 'medicine' })
  expect((await copyOne(merchant, had, 'HAD-1')).status).toBe(200)
  await product(`C-${String(coded).padStart(5, '0')}`)
  await product('TWIN-1', { barcodes: [{ code: '96385074' }] })
  const many = await Promise.all(Array.from({ length: 60 }, (_, at) => item(`Many ${at}`)))
  const asked = [copied, had, coded, twin, pill, 999_999, ...many]
  const prices = [{ id: copied, priceFen: 450 }]
  const wish = { ids: asked, merchantId, codePrefix: 'C-', costFen: 120, priceFen: 400, prices }
  const said = outcomes(await call(merchant, library.copyLibraryItems, wish))
  expect(said.slice(0, 6)).toEqual(['done', 'have', 'codeTaken', 'barcodeTaken', 'isMedicine', 'gone'])
  expect(said.slice(6)).toEqual(many.map(() => 'done'))
  const kept = await sql<{
    cost: number
    price: number
    story: number
  }>`select p.cost_fen as cost, p.price_fen as price,
      (select count(*)::int from product_price h where h.product_id = p.id) as story
    from product p where p.merchant_id = ${merchantId} and p.code = ${`C-${String(copied).padStart(5, '0')}`}`.execute(
    world.services.db,
  )
  expect(kept.rows).toEqual([{ cost: 120, price: 450, story: 1 }])
  expect(new Set(outcomes(await call(merchant, library.copyLibraryItems, wish)).slice(6))).toEqual(new Set(['have']))
  expect(
    (await call(merchant, library.copyLibraryItems, { ...wish, merchantId: family.theirs.merchantId })).status,
  ).toBe(404)
})

test('64 who copy one item into a merchant at once make one product', async () => {
  const id = await item('Wanted', { barcodes: [{ code: '4006381333931' }] })
  const said = await Promise.all(Array.from({ length: 64 }, (_, at) => copyOne(merchant, id, `WANTED-${at}`)))
  expect(said.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(new Set(said.filter(({ status }) => status !== 200).map(({ code }) => code))).toEqual(
    new Set(['library.have']),
  )
  const twins = await Promise.all([
    copyOne(merchant, await item('Code A'), 'SAME'),
    copyOne(merchant, await item('Code B'), 'SAME'),
  ])
  expect(new Set(twins.map(({ code }) => code))).toEqual(new Set(['H0000', 'product.codeTaken']))
})

test('a product with a number that the library lacks is offered by itself, any other is not', async () => {
  const { db } = world.services
  const before = await countPendingAdditions(db, { kind: 'all' })
  await product('AUTO-1', { barcodes: [{ code: '5901234123457' }] })
  await product('AUTO-2', { barcodes: [{ code: '2012345678903' }] })
  await product('AUTO-3')
  expect(await additions('AUTO')).toEqual([expect.objectContaining({ name: 'AUTO-1', state: 'pending_with_picture' })])
  expect(await countPendingAdditions(db, { kind: 'all' })).toBe(before + 1)
  expect(await countPendingAdditions(db, { kind: 'subtree', merchantId: family.theirs.merchantId })).toBe(2)
  expect(await additions('AUTO', other)).toEqual([])
})

test('what is offered waits, is tied to what the library has, and says so when it is offered twice', async () => {
  const known = await item('Known', { barcodes: [{ code: '4002293401102' }] })
  const [tied, fresh] = [await product('TIED', { barcodes: [{ code: '4002293401102' }] }), await product('FRESH')]
  const ask = () => call(merchant, library.offerProducts, { ids: [tied, fresh] })
  expect(outcomes(await ask())).toEqual(['linked', 'done'])
  expect(outcomes(await ask())).toEqual(['have', 'waiting'])
  const { products } = (await call(merchant, library.getLibraryItem, { id: known })).data as { products: unknown[] }
  expect(products).toEqual([expect.objectContaining({ code: 'TIED' })])
  expect((await call(other, library.offerProducts, { ids: [fresh] })).status).toBe(404)
})

test('an addition is checked with a picture and is then everybody’s; nobody judges their own merchant’s', async () => {
  const id = await offer('CHECKED')
  await sql`update library_item set picture = null, state = 'pending_without_picture' where id = ${id}`.execute(
    world.services.db,
  )
  expect((await call(platform, library.checkAddition, { id })).code).toBe('library.noPicture')
  expect((await call(platform, library.pictureAddition, { id, picture: PICTURE })).data).toMatchObject({
    state: 'pending_with_picture',
  })
  expect((await call(merchant, library.checkAddition, { id })).code).toBe('library.own')
  expect((await call(platform, library.checkAddition, { id })).data).toMatchObject({ state: 'checked' })
  expect((await call(platform, library.checkAddition, { id })).code).toBe('library.state')
  expect((await copyOne(other, id, 'THEIRS-1', family.theirs.merchantId)).status).toBe(200)
  expect((await copyOne(merchant, id, 'AGAIN')).code).toBe('library.have')
})

test('ignored, an addition says why and frees its number; merged, it fills what the item lacks', async () => {
  const code = '4012345678901'
  const ignored = await offer('IGNORED', { barcodes: [{ code }] })
  expect((await call(platform, library.ignoreAddition, { id: ignored, reason: '' })).code).toBe('request.invalid')
  expect((await call(platform, library.ignoreAddition, { id: ignored, reason: 'Blurred' })).status).toBe(200)
  expect(await additions('IGNORED')).toEqual([expect.objectContaining({ state: 'ignored', reason: 'Blurred' })])
  const into = await item('Target', { brand: 'Own', barcodes: [{ code }] })
  const id = await offer('MERGED', { brand: 'Other', unit: 'can', barcodes: [{ code: '7350053850019' }] })
  expect((await call(platform, library.mergeAddition, { id, intoId: id })).code).toBe('library.noTarget')
  expect((await call(platform, library.mergeAddition, { id, intoId: into })).data).toMatchObject({ state: 'checked' })
  expect((await call(platform, library.getLibraryItem, { id: into })).data).toMatchObject({
    brand: 'Own',
    unit: 'can',
    barcodes: [{ code }, { code: '7350053850019' }],
    products: [expect.objectContaining({ code: 'MERGED' })],
  })
  expect((await call(platform, library.getLibraryItem, { id })).status).toBe(404)
})

test('two who judge one addition at once: one does', async () => {
  const id = await offer('RACED')
  const said = await Promise.all([
    call(platform, library.checkAddition, { id }),
    call(platform, library.ignoreAddition, { id, reason: 'Twice' }),
  ])
  expect(said.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
})

test('an item that was copied is not deleted, and says by what it is used', async () => {
  const id = await item('Kept')
  await copyOne(merchant, id, 'KEPT-1')
  expect((await call(platform, library.removeLibraryItem, { id })).code).toBe('request.inUse')
  expect((await call(platform, library.removeLibraryItem, { id: await item('Unused') })).status).toBe(200)
})

test('what the library changes is offered field by field, taken or kept, and never forced', async () => {
  const id = await item('Tea', { brand: 'Leaf', unit: 'box' })
  const { productId } = (await copyOne(merchant, id, 'TEA-1')).data as { productId: number }
  const offered = async () =>
    ((await call(merchant, library.listLibraryChanges, { q: 'TEA-1' })).data.items as library.LibraryChange[])[0]
  const edit = async (version: number, more: Record<string, unknown>) =>
    call(platform, library.editLibraryItem, {
      id,
      version,
      name: 'Tea',
      picture: PICTURE,
      brand: 'Leaf',
      unit: 'box',
      ...more,
    })
  expect(await offered()).toBeUndefined()
  expect((await edit(1, { name: 'Green tea', unit: 'tin' })).status).toBe(200)
  expect((await call(merchant, getProduct, { id: productId })).data).toMatchObject({ name: 'Tea', unit: 'box' })
  const now = await offered()
  expect(now?.changes).toEqual([
    { field: 'name', mine: 'Tea', library: 'Green tea' },
    { field: 'unit', mine: 'box', library: 'tin' },
  ])
  const take = (itemVersion: number, fields: string[]) =>
    call(merchant, library.takeLibraryChange, { id: productId, itemVersion, fields })
  expect((await take(1, ['name'])).code).toBe('library.changed')
  expect((await take(2, ['name'])).status).toBe(200)
  expect((await call(merchant, getProduct, { id: productId })).data).toMatchObject({ name: 'Green tea', unit: 'box' })
  expect(await offered()).toBeUndefined()
  await edit(2, { name: 'Green tea', unit: 'bag' })
  expect((await offered())?.changes.map(({ field }) => field)).toEqual(['unit'])
  expect((await call(other, library.takeLibraryChange, { id: productId, itemVersion: 3, fields: [] })).status).toBe(404)
  const typed = { name: 'Green tea', picture: PICTURE, unit: 'bag', costFen: 100, priceFen: 350 }
  await call(merchant, editProduct, { id: productId, version: 2, ...typed })
  expect(await offered()).toBeUndefined()
})
