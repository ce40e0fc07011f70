import { randomInt } from 'node:crypto'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, filled, formOf, send, signedIn, told } from '../kit/desk'

/** A pack of medicine by its code: from the order back to it, entered by a scanner's list, and told the regulator. */
const { medicine: words } = catalogs.zh
const LIST = screenOf('ypgl/yplb').path
const serial = String(randomInt(1_000_000, 9_999_999))
/** Of the same medicine as that one: its first seven characters name it. */
const beside = (code: string, n: number): string => `${code.slice(0, 7)}${serial}${String(n).padStart(6, '0')}`

const factOf = (within: Locator, name: string): Locator =>
  within.locator('[data-part~=facts] div').filter({ hasText: name }).locator('dd')

test('from a sold pack to its order and back, then a list of scans of which two are wrong', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await page.goto(`${LIST}?part=traces&state=sold`)
  const link = page.getByRole('table').getByRole('link').first()
  const code = await link.innerText()
  const codeOf = (n: number) => beside(code, n)
  await link.click()
  const drawer = drawerOf(page)
  const productCode = await factOf(drawer, words['field.productName']).getByRole('link').innerText()
  const batch = await factOf(drawer, words['field.batch']).innerText()
  const owner = await factOf(drawer, words['field.merchantName']).innerText()
  await expect(drawer).toContainText(words['traceVerb.sell'])
  await factOf(drawer, words['field.orderNo']).getByRole('link').click()
  await page.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  await drawerOf(page).getByRole('link', { name: code, exact: true }).click()
  await expect(page.getByRole('region', { name: code })).toContainText(words['traceVerb.sell'])

  await page.goto(`${LIST}?part=traces`)
  await button(page, words['verb.registerTraces']).click()
  await enter(page, { owner, productCode, batch, codes: [codeOf(1), 'A 1', codeOf(2), codeOf(1)] })
  await expect(told(page, filled(words['trace.told'], { bound: 2, known: 0 }))).toBeVisible()
  const left = page.getByRole('dialog', { name: filled(words['trace.left'], { count: 2 }) })
  await expect(left).toContainText(words['traceOutcome.unreadable'])
  await expect(left).toContainText(words['traceOutcome.doubled'])
  await button(left, catalogs.zh.kernel['action.close']).click()
  await expect(page.getByRole('row').filter({ hasText: codeOf(2) })).toContainText(words['traceState.in_stock'])

  await page.goto(`${LIST}?part=trace`)
  await page.getByLabel(words['field.trace'], { exact: true }).fill(codeOf(1))
  await page.keyboard.press('Enter')
  const story = page.getByRole('region', { name: codeOf(1) })
  await expect(story).toContainText(words['traceVerb.receive'])
  await expect(story).toContainText(batch)
  await page.getByLabel(words['field.trace'], { exact: true }).fill('NOBODY-HAS-IT')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'NOBODY-HAS-IT' })).toBeVisible()

  await page.goto(`${LIST}?part=uploads&trace=${codeOf(1)}`)
  const row = page
    .getByRole('table')
    .getByRole('row')
    .filter({ hasText: codeOf(1) })
  await expect(row).toContainText(words['traceUploadKind.receipt'])
  await expect(row).toContainText(words['traceUploadState.queued'])
  await page.context().close()
})

test('the first click after a field that was left empty is not lost, though its fault moves what was clicked', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await page.goto(`${LIST}?part=traces`)
  await button(page, words['verb.registerTraces']).click()
  const form = formOf(page)
  await field(form, words['field.merchantId']).focus()
  const scan = button(form, catalogs.zh.admin['scan.start'])
  // At its upper edge, which is what moves away.
  await scan.hover({ position: { x: 40, y: 3 } })
  await page.mouse.down()
  await page.mouse.up()
  await expect(button(form, catalogs.zh.admin['scan.stop'])).toBeVisible()
  await expect(field(form, words['field.merchantId'])).toHaveAttribute('aria-invalid', 'true')
  await page.context().close()
})

type Scanned = { owner: string; productCode: string; batch: string; codes: readonly string[] }

async function enter(page: Page, { owner, productCode, batch, codes }: Scanned): Promise<void> {
  const form = formOf(page)
  await field(form, words['field.merchantId']).fill(owner)
  await form.getByRole('option', { name: owner }).first().click()
  await field(form, words['field.productCode']).fill(productCode)
  await field(form, words['field.batch']).fill(batch)
  await field(form, words['field.codes']).fill(codes.join('\n'))
  await send(page, words['verb.registerTraces'])
}
