import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, formOf, openRow, send, signedIn, told } from '../kit/desk'
import { strangeWords } from '../kit/words'

/** Medicines by a pharmacist of the platform: what the law says while one types, limits, pairs, sets and offers. */
const { medicine } = catalogs.zh
const LIST = screenOf('ypgl/yplb').path
const run = randomUUID().slice(0, 4).toUpperCase()
const OWNER = '穿堂智能零售平台'
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
let admin: Page

test.beforeAll(async ({ browser }) => {
  admin = await signedIn(browser, 'admin')
})
test.afterAll(() => admin.context().close())

async function pick(label: string, typed: string): Promise<void> {
  await formOf(admin).getByRole('combobox', { name: label }).fill(typed)
  await expect(formOf(admin).getByRole('option', { name: typed }).first()).toBeVisible()
  await admin.keyboard.press('Enter')
}

test('a medicine is entered with what the law says beside the fields, and found by its ingredient', async () => {
  await admin.goto(LIST)
  await button(admin, medicine['verb.addMedicine']).first().click()
  const form = formOf(admin)
  await pick(medicine['field.merchantId'], OWNER)
  await field(form, medicine['field.code']).fill(`MED-${run}`)
  await form.getByLabel(medicine['field.name'], { exact: true }).fill(`测试片 ${run}`)
  const file = { name: 'box.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') }
  await field(form, medicine['field.picture']).setInputFiles(file)
  await expect(form.locator('img').first()).toBeVisible()
  const kind = field(form, medicine['field.medicineClass'])
  await kind.selectOption('otc_a')
  await expect(form.getByText(medicine['law.hospitalOnly'])).toBeVisible()
  await kind.selectOption('rx')
  await expect(form.getByText(medicine['law.prescription'])).toBeVisible()
  await kind.selectOption('otc_b')
  await expect(form.getByText(medicine['law.everywhere'])).toBeVisible()
  const number = field(form, medicine['field.approvalNumber'])
  await number.fill('国药准字X1')
  await expect(form.getByText(medicine['approval.unknown'])).toBeVisible()
  await number.fill('国药准字HJ20160217')
  await expect(form.getByText(medicine['approval.unknown'])).toBeHidden()
  await field(form, medicine['field.ingredients']).fill(`testamol${run}, caffeine`)
  await field(form, medicine['field.costFen']).fill('5')
  await field(form, medicine['field.priceFen']).fill('9.8')
  await field(form, medicine['field.tracePrefixes']).fill('小包装 81234567\n大包装 81234568')
  await send(admin, medicine['verb.addMedicine'])
  await expect(told(admin, medicine['verb.addMedicine.done'])).toBeVisible()
  const drawer = await openRow(admin, `${LIST}?q=testamol${run.toLowerCase()}`, `测试片 ${run}`)
  await expect(drawer).toContainText('国药准字HJ20160217')
  expect(strangeWords([await drawer.innerText()])).toEqual([])
})

test('a merchant’s limit can’t be looser than the platform’s', async () => {
  await admin.goto(`${LIST}?part=limits`)
  await button(admin, medicine['verb.putLimit']).first().click()
  const form = formOf(admin)
  await pick(medicine['field.merchantId'], '江南云柜智能科技有限公司')
  await field(form, medicine['field.limitGroup']).selectOption('ephedrine')
  await field(form, medicine['field.packs']).fill('9')
  await field(form, medicine['field.days']).fill('7')
  await send(admin, medicine['verb.putLimit'])
  await expect(form.getByRole('alert')).toContainText('2')
  await field(form, medicine['field.packs']).fill('1')
  await send(admin, medicine['verb.putLimit'])
  await expect(told(admin, medicine['verb.putLimit.done'])).toBeVisible()
})

test('a set says what speaks against it while it is put together', async () => {
  await admin.goto(screenOf('ypgl/ypzhlb').path)
  await button(admin, medicine['verb.addCombination']).first().click()
  const form = formOf(admin)
  await pick(medicine['field.merchantId'], OWNER)
  await field(form, medicine['field.name']).fill(`降压降脂 ${run}`)
  for (const name of ['苯磺酸氨氯地平片', '阿托伐他汀钙片']) await pick(medicine['combination.pick'], name)
  await expect(form.getByText('amlodipine + atorvastatin')).toBeVisible()
  await field(form, medicine['field.priceFen']).fill('40')
  await send(admin, medicine['verb.addCombination'])
  await expect(told(admin, medicine['verb.addCombination.done'])).toBeVisible()
  const drawer = await openRow(admin, `${screenOf('ypgl/ypzhlb').path}?q=${run}`, `降压降脂 ${run}`)
  await expect(drawer).toContainText('amlodipine + atorvastatin')
})

test('a pharmacy takes a medicine off its shelf and puts it back', async () => {
  await admin.goto(screenOf('ypgl/ydsp').path)
  await admin.getByRole('table').getByRole('link', { name: '健胃消食片' }).first().click()
  await button(drawerOf(admin), medicine['verb.stopMedicineOffer']).click()
  await send(admin, medicine['verb.stopMedicineOffer'])
  await expect(drawerOf(admin).getByText(medicine['medicineOfferState.stopped'], { exact: true })).toBeVisible()
  await button(drawerOf(admin), medicine['verb.resumeMedicineOffer']).click()
  await send(admin, medicine['verb.resumeMedicineOffer'])
  await expect(drawerOf(admin).getByText(medicine['medicineOfferState.active'], { exact: true })).toBeVisible()
})
