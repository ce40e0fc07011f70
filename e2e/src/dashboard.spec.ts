import { expect, type Page, test } from '@playwright/test'
import { summariseAlarms } from '@aisle/contract/alarm/alarm'
import { alarmLevels } from '@aisle/contract/alarm/states'
import { catalogs } from '@aisle/contract/catalogs'
import { arrangements, getSalesNow, listRunningOut } from '@aisle/contract/home/dashboard'
import { moneyText } from '@aisle/contract/kernel/text'
import { screenOf } from '@aisle/contract/screens'
import { boardTabs } from '@aisle/contract/wallboard/board'
import { button, field, formOf, openDesk, send, signedIn } from './kit/desk'
import type { RunningServer } from './kit/harness'
import { cashSale, sellingSlot, shopsSeenBy, startQuietServer, switchOn } from './kit/machines'
import { goInside, settled } from './kit/visit'

/** The first page of the day, whose figures are those of the lists behind them; and a board that hangs in public. */
test.describe.configure({ mode: 'serial', timeout: 150_000 })

const { home: words, wallboard: board, alarm } = catalogs.zh
const pathOf = (key: string): string => screenOf(key).path
let server: RunningServer

test.beforeAll(async () => {
  server = await startQuietServer()
})
test.afterAll(() => server.stop())

const panel = (page: Page, name: keyof typeof words) => page.getByRole('region', { name: words[name], exact: true })

test('an operator sees first what runs out, a fitter the work; a sale counts at once and leads to its order', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'operator', server.url)
  await page.goto(pathOf('home/dashboard'))
  const headings = page.getByRole('heading', { level: 2 })
  await expect(headings.first()).toHaveText(words['panel.runningOut'])
  expect(arrangements.operation[0]).toBe('runningOut')
  const sales = panel(page, 'panel.sales')
  const [shop] = await shopsSeenBy(server, 'operator')
  if (!shop) throw new Error('the operator sees no shop')
  const slot = sellingSlot(shop)
  const device = await switchOn(server, shop)
  const before = await sales.locator('[data-part~=dash-main] [data-part~=money]').innerText()
  await device.sendAndAck('sale', cashSale(slot, 'DASH-1'))
  const fen = Math.round(Number(before.replace(/[¥,]/g, '')) * 100) + slot.priceFen
  await expect(sales.locator('[data-part~=dash-main] [data-part~=money]')).toHaveText(moneyText(fen, 'zh'))
  await sales.getByRole('link', { name: words['sales.open'] }).click()
  await expect(page).toHaveURL(/ddgl\?from=[\d-]+&to=/)
  await expect(page.getByText(`${shop.code}-DASH-1`)).toBeVisible()
  await device.close()
  await page.context().close()
  const fitter = await signedIn(browser, 'maintainer', server.url)
  await fitter.goto(pathOf('home/dashboard'))
  await expect(fitter.getByRole('heading', { level: 2 }).first()).toHaveText(words['panel.work'])
  await fitter.context().close()
})

test('what time alone changes is asked for again, though nothing is sold: a new day begins with nothing', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'operator', server.url)
  await page.clock.install()
  await page.goto(pathOf('home/dashboard'))
  await expect(panel(page, 'panel.sales').locator('[data-part~=dash-main] [data-part~=money]')).toBeVisible()
  await settled(page)
  const asked = [getSalesNow, summariseAlarms, listRunningOut].map(({ path }) =>
    page.waitForRequest((request) => new URL(request.url()).pathname === path),
  )
  await page.clock.fastForward(61_000)
  await Promise.all(asked)
  await page.context().close()
})

/** What the list says of the figure: the sum of that name, or how many there are. */
const sumsBehind: Record<string, string> = {
  [words['out.slots']]: catalogs.zh.fleet['field.emptySlots'],
  [words['out.low']]: catalogs.zh.fleet['field.lowSlots'],
  ...Object.fromEntries(alarmLevels.map((level) => [alarm[`level.${level}`], alarm['field.alarms']])),
}
type Figure = { word: string; path: string; text: string }

const figuresOf = (page: Page): Promise<Figure[]> =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLAnchorElement>(
        '[data-part~=dash-figure], [data-part~=dash-sales] a, [data-part~=dash-note] a',
      ),
    ].map((link) => ({
      word: link.querySelector('span:not([data-part~=money])')?.textContent ?? '',
      path: link.getAttribute('href') ?? '',
      text: link.querySelector('strong')?.textContent ?? link.textContent,
    })),
  )

async function saidBehind(page: Page, { word, path, text }: Figure): Promise<string> {
  await goInside(page, path)
  await expect(page).toHaveURL((url) => url.pathname + url.search === path)
  await settled(page)
  const money = path.startsWith(pathOf('shj/jqbj')) ? alarm['field.stakeFen'] : catalogs.zh.trade['field.paidFen']
  const sum = text.startsWith('¥') ? money : sumsBehind[word]
  const total = page.locator('.list-head .list-total').first()
  const shown = sum
    ? page.locator('[data-part~=list-tools] dl[data-part~=figures] > div').filter({ hasText: sum }).locator('dd')
    : total
  return shown.innerText()
}

const figureIn = (text: string): string => text.replaceAll(/[^\d.]/g, '')

for (const account of ['operator', 'finance', 'pharmacist', 'maintainer', 'merchant', 'admin'] as const) {
  test(`each figure that ${account} sees is the one of the list that it leads to`, async ({ browser }) => {
    const page = await signedIn(browser, account, server.url)
    // Money at stake moves every five minutes: who crosses that moment looks again.
    await expect(async () => {
      await goInside(page, pathOf('home/dashboard'))
      await expect(page.locator('[data-part~=dash-card]').first()).toBeVisible()
      await settled(page)
      const figures = await figuresOf(page)
      expect(figures.length).toBeGreaterThan(5)
      const said: Figure[] = []
      for (const figure of figures) said.push({ ...figure, text: figureIn(await saidBehind(page, figure)) })
      expect(said).toEqual(figures.map((figure) => ({ ...figure, text: figureIn(figure.text) })))
    }).toPass({ timeout: 90_000 })
    await page.context().close()
  })
}

test('a key opens a board without a session, on every tab, until it is revoked', async ({ browser }) => {
  const admin = await signedIn(browser, 'admin', server.url)
  await admin.goto(`${pathOf('xtgl/sz')}?tab=boards`)
  await button(admin, board['verb.addDisplayKey']).first().click()
  await field(formOf(admin), board['field.name']).fill('门厅大屏')
  await send(admin, board['verb.addDisplayKey'])
  // Not wider than the window, whichever pages were open before.
  await expect(formOf(admin).locator('code')).toHaveCSS('overflow-wrap', 'anywhere')
  const address = await formOf(admin).locator('code').innerText()
  await button(formOf(admin), board['displayKey.saved']).click()
  const wall = await openDesk(browser, server.url)
  await wall.goto(address)
  for (const tab of boardTabs) {
    await wall.getByRole('tab', { name: board[`tab.${tab}`], exact: true }).click()
    await expect(wall.getByRole('tabpanel', { name: board[`tab.${tab}`] })).toBeVisible()
    await expect(wall.getByText(board['section.loading'])).toHaveCount(0)
  }
  const kept = admin.getByRole('listitem').filter({ hasText: '门厅大屏' })
  await button(kept, board['verb.revokeDisplayKey']).click()
  await send(admin, board['verb.revokeDisplayKey'])
  await expect(kept).toContainText(board['displayKeyState.revoked'])
  await expect(wall.getByRole('heading', { level: 1 })).toHaveText(board['closed.keyTitle'])
  await admin.context().close()
  await wall.context().close()
})
