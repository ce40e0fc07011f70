import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, filled, formOf, send, signedIn, told } from '../kit/desk'
import { type RunningServer, startSeeded } from '../kit/harness'
import { phonePhoto } from '../kit/photo'

/** What a merchandiser does with the range, on a server of its own. */
test.describe.configure({ mode: 'serial' })

const { admin: kit, catalog: words, planogram } = catalogs.zh
const NAME = '试卖气泡水'
let server: RunningServer
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startSeeded()
  page = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await page.context().close()
  await server.stop()
})

test('a category is added, one below it, and moved by the keys; one that holds another is kept', async () => {
  await page.goto(screenOf('spgl/spfl').path)
  const line = (name: string) => page.getByRole('treeitem').filter({ hasText: name })
  for (const name of ['试卖', '夏季']) {
    await button(page, words['verb.addCategory']).click()
    await field(formOf(page), words['field.name']).fill(name)
    await send(page, words['verb.addCategory'])
    await expect(line(name)).toBeVisible()
  }
  await line('夏季').click()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(line('夏季')).toHaveAttribute('aria-level', '2')
  await line('试卖').click()
  const why = filled(words['verb.removeCategory.not'], { children: 1, products: 0 })
  await expect(page.getByRole('button', { name: why })).toHaveAttribute('aria-disabled', 'true')
})

test('a category is dragged below another, and never below itself', async () => {
  // All lines stand in sight: a browser takes up what lies under the pointer once the page has scrolled to the target.
  await page.setViewportSize({ width: 1440, height: 2000 })
  const line = (name: string) => page.getByRole('treeitem').filter({ hasText: name })
  await line('夏季').focus()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(line('夏季')).toHaveAttribute('aria-level', '1')
  await line('夏季').dragTo(line('试卖'))
  await expect(line('夏季')).toHaveAttribute('aria-level', '2')
  await line('试卖').dragTo(line('夏季'))
  await expect(line('试卖')).toHaveAttribute('aria-level', '1')
  await expect(line('夏季')).toHaveAttribute('aria-level', '2')
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('a product is added with a picture cut to shape; a wrong check digit is said beside it', async () => {
  await page.goto(screenOf('spgl/xzsp').path)
  await field(page, words['field.code']).fill('TRY-1')
  await field(page, words['field.name']).fill(NAME)
  await field(page, words['field.costFen']).fill('1.50')
  await field(page, words['field.priceFen']).fill('3.50')
  const code = page.getByLabel(filled(words['barcode.nth'], { n: 1 }), { exact: true })
  await code.fill('6901028075764')
  await expect(page.getByText(filled(words['barcode.digit'], { digit: 3 }))).toBeVisible()
  await code.fill('6901028075763')
  await expect(page.getByText(filled(words['barcode.digit'], { digit: 3 }))).toBeHidden()
  const picture = page.locator('input[type=file]').first()
  await picture.setInputFiles({
    name: 'x.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('<script>alert(1)</script>'),
  })
  await expect(page.getByText(catalogs.zh.system['refusal.picture.notPicture'])).toBeVisible()
  await picture.setInputFiles({ name: 'x.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto(page) })
  await expect(formOf(page)).toContainText('560×800')
  await button(formOf(page), words['crop.take']).click()
  await expect(page.getByAltText(filled(kit['form.image.now'], { name: words['field.picture'] }))).toBeVisible()
  await button(page, words['verb.addProduct']).click()
  await expect(told(page, filled(words['verb.addProduct.done'], { name: NAME }))).toBeVisible()
  await expect(drawerOf(page)).toContainText('TRY-1')
})

test('a product that stands in slots goes offline, its slots say so, and it is listed again', async () => {
  await page.goto(screenOf('spgl/wdsp').path)
  await page.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  const machine = drawerOf(page).locator('li a').first()
  const code = await machine.innerText()
  await button(drawerOf(page), words['verb.takeOffline']).click()
  await send(page, words['verb.takeOffline'])
  await expect(drawerOf(page).getByText(words['productState.offline'], { exact: true })).toBeVisible()
  await page.goto(screenOf('shj/hdgl').path)
  const chooser = page.getByRole('combobox', { name: planogram.machine })
  await chooser.focus()
  await page.keyboard.type(code)
  await expect(page.getByRole('option').first()).toContainText(code)
  await page.keyboard.press('Enter')
  await expect(page.getByText(planogram['slot.offline']).first()).toBeVisible()
})

test('products that are ticked come into a change of prices, which shows each slot before it is set', async () => {
  await page.goto(screenOf('spgl/wdsp').path)
  const rows = page.getByRole('table').getByRole('row')
  for (const at of [1, 2]) await rows.nth(at).getByRole('checkbox').check()
  await page.getByRole('link', { name: words['verb.changePrices'] }).click()
  const form = formOf(page)
  await expect(form).toContainText(filled(planogram['price.chosen'], { count: 2 }))
  await field(form, planogram['field.amountFen']).fill('4.20')
  await field(form, planogram['field.reason']).fill('夏季促销')
  await send(page, planogram['verb.addPriceChange'])
  await expect(drawerOf(page)).toContainText(planogram['price.outcomes'])
  await expect(page).not.toHaveURL(/products=/)
})

test('the ranking of goods is of a branch, beside the days before, and a name opens the product', async () => {
  await page.goto(screenOf('spgl/spxsph').path)
  const first = page.getByRole('table').getByRole('row').nth(1)
  const name = await first.getByRole('link').first().innerText()
  await first.getByRole('link', { name }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(catalogs.zh.screens['spgl/wdsp'])
  await expect(drawerOf(page)).toContainText(name)
})
