import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { button, drawerOf, filled, openUserMenu, signedIn, told } from '../kit/desk'
import { settled } from '../kit/visit'

/** What everybody does on every list: more rows on a page, a page by its number, all rows at once, a file of them. */
test.describe.configure({ mode: 'serial' })

const { admin: kit, screens: titles, system } = catalogs.zh
const orders = screenOf('jygl/ddgl').path
const goods = screenOf('spgl/wdsp').path
let page: Page

test.beforeAll(async ({ browser }) => void (page = await signedIn(browser, 'admin')))
test.afterAll(() => page.context().close())

const table = (): Locator => page.getByRole('table')
const pages = (): Locator => page.getByRole('navigation', { name: kit['list.pages'] })
const firstRow = (): Promise<string> => table().getByRole('row').nth(1).innerText()

test('a page by its number is the one that leafing leads to, and back goes on from it', async () => {
  // Of days that are over: nothing is sold into them while they are read.
  await page.goto(`${orders}?to=${new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)}`)
  for (let at = 2; at <= 3; at += 1) {
    await button(pages(), kit['list.next']).click()
    await expect(pages()).toContainText(new RegExp(`第 ${at} 页`))
    await settled(page)
  }
  const third = await firstRow()
  await page.goto(page.url().replace(/&?cursor=[^&]*/, ''))
  const number = pages().getByLabel(kit['list.jump'])
  await number.fill('3')
  await number.press('Enter')
  await expect(page).toHaveURL(/skip=40/)
  await expect.poll(firstRow).toBe(third)
  await button(pages(), kit['list.previous']).click()
  await expect(page).toHaveURL(/skip=20/)
  await expect(pages()).toContainText(/第 2 页/)
})

test('how many rows stand on a page is kept for the list', async () => {
  await page.goto(orders)
  await pages().getByLabel(kit['list.rows']).selectOption('50')
  await expect(table().getByRole('row')).toHaveCount(51)
  await page.reload()
  await expect(table().getByRole('row')).toHaveCount(51)
  await pages().getByLabel(kit['list.rows']).selectOption('20')
  await expect(table().getByRole('row')).toHaveCount(21)
})

test('one value of a filter is one choice, several are ticked beside it, and a link says them all', async () => {
  const { trade } = catalogs.zh
  const method = trade['field.method']
  await page.goto(orders)
  await button(page, kit['filter.more']).click()
  await page.getByRole('combobox', { name: method, exact: true }).selectOption('wechat')
  await expect(page).toHaveURL(/method=wechat$/)
  const name = `${method}: ${kit['filter.several']}`
  await button(page, name).click()
  const several = page.getByRole('dialog', { name })
  await expect(several.getByRole('checkbox', { name: trade['method.wechat'] })).toBeChecked()
  await several.getByRole('checkbox', { name: trade['method.alipay'] }).check()
  await expect(page).toHaveURL(/method=alipay%2Cwechat$/)
  await several.getByRole('checkbox', { name: trade['method.wechat'] }).uncheck()
  await several.getByRole('checkbox', { name: trade['method.cash'] }).check()
  await page.keyboard.press('Escape')
  await expect(several).toBeHidden()
  await page.reload()
  await expect(page.getByRole('combobox', { name: method, exact: true }).locator('option:checked')).toHaveText(
    `${trade['method.alipay']} / ${trade['method.cash']}`,
  )
  await settled(page)
  const shown = new Set(await columnOf(method))
  expect([...shown].filter((each) => ![trade['method.alipay'], trade['method.cash']].includes(each))).toEqual([])
  expect(shown.size).toBeGreaterThan(0)
})

/** What stands in a column of the table. */
const columnOf = (head: string): Promise<string[]> =>
  table().evaluate((shown: HTMLTableElement, name) => {
    const at = [...(shown.tHead?.rows[0]?.cells ?? [])].findIndex((cell) => cell.innerText.trim() === name)
    return [...(shown.tBodies[0]?.rows ?? [])].map((row) => row.cells[at]?.innerText.trim() ?? '')
  }, head)

test('all that the filter leaves is chosen, though it stands on many pages', async () => {
  await page.goto(goods)
  await expect(page.locator('.list-total')).toHaveText(/\d/)
  const total = Number(/\d+/.exec(await page.locator('.list-total').innerText())?.[0])
  expect(total).toBeGreaterThan(20)
  await table().getByRole('checkbox', { name: kit['batch.all'] }).check()
  await button(page, filled(kit['batch.whole'], { total })).click()
  await expect(page.getByRole('group', { name: kit.batch })).toContainText(
    filled(kit['batch.chosen'], { count: total }),
  )
})

test('times are said by the clock to whoever wants them so, on every list and after a reload', async () => {
  await page.goto(orders)
  const time = table().locator('time').first()
  await expect(time).not.toHaveText(/\d{4}.*\d\d:\d\d:\d\d/)
  for (const isExact of [true, false]) {
    await openUserMenu(page)
    await page.getByRole('menuitemradio', { name: system['tool.exactTimes'] }).click()
    await page.reload()
    if (isExact) await expect(time).toHaveText(/\d{4}.*\d\d:\d\d:\d\d/)
    else await expect(time).not.toHaveText(/\d{4}.*\d\d:\d\d:\d\d/)
  }
})

test('a file says how far it is and is given out where it was asked for, wherever its reader is by then', async () => {
  await page.goto(goods)
  await button(page, kit['export.button']).click()
  await page.getByRole('menuitem', { name: kit['export.xlsx'] }).click()
  await page.getByRole('link', { name: titles['home/dashboard'] }).first().click()
  const ready = told(page, kit['export.ready'].split('{{rows}}')[0]?.replace('{{title}}', titles['spgl/wdsp']) ?? '')
  await expect(ready).toBeVisible({ timeout: 30_000 })
  const [download] = await Promise.all([page.waitForEvent('download'), button(ready, kit['export.download']).click()])
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${titles['spgl/wdsp']} \\d{4}-\\d\\d-\\d\\d\\.xlsx$`))
  await expect(ready).toBeHidden()
})

test('words of a drawer that come late hide neither the list nor what stands in the drawer', async ({ browser }) => {
  const { trade } = catalogs.zh
  const fresh = await signedIn(browser, 'admin')
  await fresh.goto(orders)
  const first = fresh.getByRole('table').getByRole('row').nth(1).getByRole('link').first()
  const no = await first.innerText()
  await settled(fresh)
  let isHeld = false
  let release = (): void => undefined
  const released = new Promise<void>((done) => void (release = done))
  await fresh.route(/assets\/zh-.*\.js/, async (route) => {
    isHeld = true
    await released
    await route.continue()
  })
  await first.click()
  await expect.poll(() => isHeld).toBe(true)
  await expect(drawerOf(fresh)).toContainText(trade['field.businessType'])
  await expect(first).toHaveText(no)
  await expect(fresh.getByRole('heading', { name: titles['jygl/ddgl'] })).toBeVisible()
  release()
  await expect(drawerOf(fresh).locator('.bone')).toHaveCount(0)
  await fresh.context().close()
})
