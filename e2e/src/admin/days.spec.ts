import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, field, filled, openDesk } from '../kit/desk'
import type { RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'
import { signInAs } from '../kit/visit'

/** Days are typed or picked, in the application's language and not the browser's. */
test.describe.configure({ mode: 'serial' })

const { admin, kernel, trade } = catalogs.zh
const orders = screenOf('jygl/ddgl').path
let server: RunningServer
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  page = await openDesk(browser, server.url)
  await signInAs(page, 'admin')
})
test.afterAll(async () => {
  await page.context().close()
  await server.stop()
})

const period = (): Locator => page.getByRole('group', { name: trade['field.period'], exact: true })
const end = (of: 'from' | 'to'): Locator =>
  field(period(), filled(admin[`filter.${of}`], { name: trade['field.period'] }))
const calendar = (): Locator => period().getByRole('dialog', { name: kernel['day.calendar'] })
const day = (text: string): Locator =>
  calendar().locator(`[data-day="${text}"]:not([data-outside])`).getByRole('button')

test('one calendar picks both ends of a period, whichever is pressed first', async () => {
  await page.goto(`${orders}?from=2026-11-02&to=2026-11-03`)
  await button(period(), kernel['day.open']).click()
  await expect(calendar()).toContainText('一')
  await day('2026-11-20').click()
  await day('2026-11-11').click()
  await expect(calendar()).toBeHidden()
  await expect(page).toHaveURL(/from=2026-11-11&to=2026-11-20/)
  await expect(end('from')).toHaveValue('2026-11-11')
  await expect(end('to')).toHaveValue('2026-11-20')
})

test('a preset inside it says both ends, and clearing leaves both open', async () => {
  await button(period(), kernel['day.open']).click()
  await button(calendar(), admin['preset.lastMonth']).click()
  await expect(end('from')).toHaveValue(/-01$/)
  await button(period(), kernel['day.open']).click()
  await button(calendar(), kernel['day.clear']).click()
  await expect(page).not.toHaveURL(/from=/)
})

test('a day is typed as people write it, and what is none stays to be mended', async () => {
  await end('from').fill('2026/11/5')
  await end('from').press('Enter')
  await expect(page).toHaveURL(/from=2026-11-05/)
  await end('from').fill('2026-02-31')
  await end('from').press('Tab')
  await expect(end('from')).toHaveAttribute('aria-invalid', 'true')
  await expect(page).toHaveURL(/from=2026-11-05/)
  await end('from').fill('2026-11-07')
  await expect(page).toHaveURL(/from=2026-11-07/)
})

test('Escape closes the calendar and gives the focus back; keys alone pick a day', async () => {
  const opener = button(period(), kernel['day.open'])
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(calendar()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(calendar()).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(day('2026-11-07')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/from=2026-11-08&to=2026-11-15/)
})
