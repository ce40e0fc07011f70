import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { connectDevice, type Device } from '../../../fleet/src/link/client'
import {
  button,
  drawerOf,
  enterFirst,
  field,
  filled,
  formOf,
  openDesk,
  passwordToldOnce,
  pick,
  send,
} from '../kit/desk'
import { type RunningServer, startServer } from '../kit/harness'
import { loginForm } from '../kit/loginForm'
import { phonePhoto } from '../kit/photo'
import { settled } from '../kit/visit'

/** A network is set up by people in a browser on a server that has nothing, and a machine of it sells. */
test.describe.configure({ mode: 'serial' })
test.setTimeout(120_000)

const { admin: kit, catalog, fleet, identity, medicine, merchant, planogram } = catalogs.zh
const boss = { name: '王敏', platform: '穿堂智能零售', secret: 'Kiosk-Row-26!' }
const shop = { code: 'EAST1', name: '东湖药房', account: 'donghu', admin: '高云书', secret: 'Rain-on-7-roofs' }
const pill = { code: 'ACETA-24', name: '对乙酰氨基酚片', category: '感冒用药' }
const cola = { code: 'COLA-330', name: '可口可乐 330ml', priceFen: 350 }
const batch = 'B26-0101'
const machine = { code: 'EAST001', name: '东湖一号机', point: '东湖地铁站 A 口' }
const codes = ['81234560000000000001', '81234560000000000002']
const priceFen = 1250
let server: RunningServer
let admin: Page
let owner: Page
let device: Device | undefined
let given = ''
let secret = ''

test.beforeAll(async ({ browser }) => {
  server = await startServer({ DEMO: '0' })
  admin = await openDesk(browser, server.url)
  owner = await openDesk(browser, server.url)
})
test.afterAll(async () => {
  for (const page of [admin, owner]) await page.context().close()
  await device?.close()
  await server.stop()
})

test('the first administrator enters by the address that the server printed, and makes a merchant', async () => {
  const link = /http\S+\/first-admin#[\w-]+/.exec(server.said())?.[0] ?? ''
  await admin.goto(link)
  const exactly = (label: string) => admin.getByLabel(label, { exact: true })
  await exactly(identity['firstAdmin.displayName']).fill(boss.name)
  await exactly(identity['firstAdmin.platformName']).fill(boss.platform)
  await exactly(identity['login.password']).fill(boss.secret)
  await exactly(identity['firstAdmin.again']).fill(boss.secret)
  await admin.keyboard.press('Enter')
  const login = loginForm(admin)
  await expect(login.submit).toBeVisible()
  await login.fill('admin', boss.secret)
  await login.submit.click()
  await expect(admin).toHaveURL(`${server.url}/database`)

  await admin.goto(screenOf('shgl/wdsh').path)
  await button(admin, merchant['verb.createMerchant']).click()
  await pick(admin, merchant['field.parentId'], boss.platform)
  const form = formOf(admin)
  await field(form, merchant['field.code']).fill(shop.code)
  await field(form, merchant['field.name']).fill(shop.name)
  await field(form, merchant['field.loginName']).fill(shop.account)
  await field(form, merchant['field.adminName']).fill(shop.admin)
  await field(form, merchant['field.adminPhone']).fill('13800138001')
  await field(form, merchant['field.hasPharmacy']).check()
  await send(admin, merchant['verb.createMerchant'])
  given = await passwordToldOnce(admin, shop.admin)
})

test('its administrator signs in and enters a category, a medicine with picture and a batch', async () => {
  await enterFirst(owner, { account: shop.account, given, own: shop.secret })
  await owner.goto(screenOf('ypgl/ypfl').path)
  await button(owner, catalog['verb.addCategory']).first().click()
  await field(formOf(owner), catalog['field.name']).fill(pill.category)
  await send(owner, catalog['verb.addCategory'])
  await expect(owner.getByRole('main')).toContainText(pill.category)

  await owner.goto(screenOf('ypgl/yplb').path)
  await button(owner, medicine['verb.addMedicine']).first().click()
  const form = formOf(owner)
  await pick(owner, medicine['field.merchantId'], shop.name)
  await field(form, medicine['field.code']).fill(pill.code)
  await field(form, medicine['field.name']).fill(pill.name)
  await form
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'pack.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto(owner) })
  await expect(form.getByRole('img').first()).toBeVisible()
  await field(form, medicine['field.categoryId']).selectOption({ label: pill.category })
  await field(form, medicine['field.medicineClass']).selectOption('otc_b')
  await field(form, medicine['field.approvalNumber']).fill('H20093458')
  await field(form, medicine['field.costFen']).fill('6.00')
  await field(form, medicine['field.priceFen']).fill('12.50')
  await field(form, medicine['field.tracePrefixes']).fill(`${medicine['level.pack']} 8123456`)
  await send(owner, medicine['verb.addMedicine'])
  await expect(form).toBeHidden()
  await expect(owner.getByRole('table')).toContainText(pill.name)

  await owner.goto(screenOf('ypgl/yppc').path)
  await button(owner, medicine['verb.addBatch']).first().click()
  await pick(owner, medicine['field.productId'], pill.name)
  await field(formOf(owner), medicine['field.number']).fill(batch)
  await field(formOf(owner), medicine['field.expiresOn']).fill('2029-12-31')
  await send(owner, medicine['verb.addBatch'])
  await expect(owner.getByRole('table')).toContainText(batch)
})

test('beside it a plain product, found by its initials', async () => {
  await owner.goto(screenOf('spgl/xzsp').path)
  await field(owner, catalog['field.code']).fill(cola.code)
  await field(owner, catalog['field.name']).fill(cola.name)
  await field(owner, catalog['field.costFen']).fill('1.80')
  await field(owner, catalog['field.priceFen']).fill('3.50')
  await owner
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'can.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto(owner) })
  await button(formOf(owner), catalog['crop.take']).click()
  await expect(owner.getByAltText(filled(kit['form.image.now'], { name: catalog['field.picture'] }))).toBeVisible()
  await button(owner, catalog['verb.addProduct']).click()
  await expect(drawerOf(owner)).toContainText(cola.code)
  await owner.goto(`${screenOf('spgl/wdsp').path}?q=kkkl`)
  await expect(owner.getByRole('table')).toContainText(cola.name)
})

test('a point, a machine that may sell such medicine, and its key, shown this once', async () => {
  await owner.goto(screenOf('shj/dwgl').path)
  await button(owner, fleet['verb.addPoint']).first().click()
  const place = formOf(owner)
  await pick(owner, fleet['field.merchantId'], shop.name)
  await field(place, fleet['field.name']).fill(machine.point)
  await field(place, fleet['field.kind']).selectOption({ index: 1 })
  await field(place, fleet['field.province']).fill('浙江省')
  await field(place, fleet['field.city']).fill('杭州市')
  await place.getByLabel(fleet['map.longitude']).fill('120.21')
  await place.getByLabel(fleet['map.latitude']).fill('30.25')
  await send(owner, fleet['verb.addPoint'])
  await expect(place).toBeHidden()

  await owner.goto(screenOf('shj/wdshj').path)
  await button(owner, fleet['verb.addMachine']).first().click()
  const form = formOf(owner)
  await field(form, fleet['field.code']).fill(machine.code)
  await field(form, fleet['field.name']).fill(machine.name)
  await pick(owner, fleet['field.merchantId'], shop.name)
  await pick(owner, fleet['field.pointId'], machine.point)
  await field(form, fleet['field.category']).selectOption({ label: fleet['category.medicine'] })
  await field(form, fleet['field.licenceMode']).selectOption({ label: fleet['licence.retail'] })
  await field(form, fleet['field.layers']).fill('1')
  await field(form, fleet['field.slotsPerLayer']).fill('2')
  await send(owner, fleet['verb.addMachine'])
  const once = owner.getByRole('dialog', { name: filled(fleet['secret.title'], { code: machine.code }) })
  secret = await once.locator('code').innerText()
  await button(once, kit['secret.saved']).click()
  await expect(once).toBeHidden()
})

test('its slots are planned, and the machine, let in by its key, takes the plan', async () => {
  await owner.goto(screenOf('shj/hdgl').path)
  const chooser = owner.getByRole('combobox', { name: planogram.machine })
  await chooser.focus()
  await owner.keyboard.type(machine.code)
  await expect(owner.getByRole('option').first()).toContainText(machine.code)
  await owner.keyboard.press('Enter')
  const tileOf = (code: string) =>
    owner
      .getByRole('group')
      .getByRole('button')
      .filter({ has: owner.locator('b', { hasText: code }) })
  const place = async (code: string, name: string) => {
    await tileOf(code).click()
    await owner
      .getByRole('region', { name: planogram.products, exact: true })
      .getByRole('button')
      .filter({ hasText: name })
      .click()
    await expect(tileOf(code)).toContainText(name)
  }
  await place('A01', pill.name)
  await place('A02', cola.name)
  // What is picked leads to its own page.
  await expect(owner.getByRole('link', { name: cola.name })).toBeVisible()
  await button(owner, planogram['bar.save']).click()
  const question = formOf(owner)
  await button(question, planogram['save.now']).click()
  await expect(question).toBeHidden()

  device = await connectDevice({ url: server.mqttUrl, code: machine.code, secret })
  await device.send('presence', { online: true })
  const pushed = await device.command('push_planogram')
  for (const { code } of [pill, cola]) expect(JSON.stringify(pushed.data)).toContain(code)
  await device.sendAndAck('cmd.ack', { cmdId: pushed.cmdId, state: 'received' })
  await device.sendAndAck('cmd.ack', { cmdId: pushed.cmdId, state: 'done' })
  const slots = [
    { code: 'A01', product: pill.code, priceFen, stock: 0, capacity: 10, status: 'normal' },
    { code: 'A02', product: cola.code, priceFen: cola.priceFen, stock: 0, capacity: 10, status: 'normal' },
  ]
  await device.send('snapshot', { slots })
  for (const code of ['A01', 'A02']) await expect(tileOf(code)).not.toContainText(planogram['syncState.pending'])
})

test('it is loaded with the batch, code by code, and sells; order, stock and books say so', async () => {
  if (!device) throw new Error('the machine was never let in')
  const fill = { slot: 'A01', product: pill.code, before: 0, change: 2, after: 2, cause: 'fill', batch }
  const loaded = await device.sendAndAck('stock.delta', { ...fill, traceCodes: codes })
  expect(loaded).toMatchObject({ state: 'processed' })
  const item = { slot: 'A01', product: pill.code, priceFen, ok: true, batch, traceCode: codes[0] }
  const sale = await device.sendAndAck('sale', { orderNo: 'FIRST-1', method: 'cash', paidFen: priceFen, items: [item] })
  expect(sale).toMatchObject({ state: 'processed' })
  const can = { slot: 'A02', product: cola.code }
  for (const [type, data] of [
    ['stock.delta', { ...can, before: 0, change: 4, after: 4, cause: 'fill' }],
    [
      'sale',
      { orderNo: 'NEXT-2', method: 'cash', paidFen: 350, items: [{ ...can, priceFen: cola.priceFen, ok: true }] },
    ],
  ] as const) {
    expect(await device.sendAndAck(type, data)).toMatchObject({ state: 'processed' })
  }

  await owner.goto(`${screenOf('jygl/ddgl').path}?orderNo=${machine.code}-FIRST-1`)
  await owner.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  const order = drawerOf(owner)
  await expect(order).toContainText(pill.name)
  await expect(order).toContainText('¥12.50')
  await expect(order).toContainText(batch)
  await order.getByRole('link', { name: codes[0], exact: true }).click()
  const story = owner.getByRole('region', { name: codes[0] })
  for (const verb of ['load', 'sell'] as const) await expect(story).toContainText(medicine[`traceVerb.${verb}`])
  await expect(story).toContainText(`${machine.code}-FIRST-1`)

  await owner.goto(screenOf('ypgl/yppc').path)
  await owner.getByRole('table').getByRole('link').first().click()
  await expect(drawerOf(owner)).toContainText(machine.code)
  await settled(owner)
  await owner.goto(`${screenOf('ypgl/yplb').path}?part=traces&state=in_stock`)
  await expect(owner.getByRole('row').filter({ hasText: codes[1] ?? '' })).toContainText('A01')
  await owner.goto(`${screenOf('spgl/wdsp').path}?code=${cola.code}`)
  await owner.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  await expect(drawerOf(owner)).toContainText('3/10')
  await admin.goto(screenOf('home/syzfqq').path)
  await expect(admin.getByRole('main')).toContainText('16.00')
})
