import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, filled, signedIn, told } from './kit/desk'
import type { RunningServer } from './kit/harness'
import { startQuietServer } from './kit/machines'

/** The home charts opened full: a bar leads to what it was made of, a chart goes along as picture and as sheet. */
test.describe.configure({ mode: 'serial' })

const { report: words, admin, screens: titles } = catalogs.zh
const pathOf = (key: string): string => screenOf(key).path
let server: RunningServer
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  page = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await page.context().close()
  await server.stop()
})

const figures = (): Locator => page.getByRole('region', { name: words.figures })
const card = (name: string): Locator => page.getByRole('region', { name, exact: true })
const bars = (name: string): Locator => card(name).getByRole('list').getByRole('listitem')
/** Yuan or pieces as people read them, the first in a text, in hundredths. */
const numberIn = async (within: Locator): Promise<number> =>
  Math.round(Number((/[\d,]+(\.\d\d)?/.exec(await within.innerText())?.[0] ?? '').replaceAll(',', '')) * 100)
const settledAt = async (preset: 'preset.yesterday' | 'preset.last7Days'): Promise<void> => {
  await button(page, admin[preset]).click()
  await expect(page).toHaveURL(/from=/)
  await expect(page.locator('[data-part~=overview][aria-busy=false]')).toBeVisible()
}

test('what each method brought comes to the whole, and a method opens its orders', async () => {
  await page.goto(pathOf('home/syzfqq'))
  await settledAt('preset.last7Days')
  const whole = await numberIn(figures().locator('[data-part~=report-total]').first().locator('strong'))
  const shares = card(words['chart.methods']).locator('[data-part~=share-text]')
  await expect(shares.first()).toBeVisible()
  const parts = await Promise.all((await shares.all()).map(numberIn))
  expect(whole).toBeGreaterThan(0)
  expect(parts.reduce((so, part) => so + part, 0)).toBe(whole)
  const first = parts[0] ?? 0
  await shares.first().getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(titles['jygl/ddgl'])
  await expect.poll(() => numberIn(page.locator('[data-part~=list-tools] [data-part~=figures] dd').first())).toBe(first)
})

test('products are ranked by either measure from either end, and the rest is told with the whole', async () => {
  await page.goto(pathOf('home/syspxlpm'))
  await settledAt('preset.last7Days')
  await button(page.getByRole('group', { name: words['rank.by'] }), words['sort.quantity']).click()
  await button(page, filled(words['rank.first'], { count: 10 })).click()
  await expect(page).toHaveURL(/pageSize=10/)
  const title = titles['home/syspxlpm']
  const shown = card(title).locator('[data-part~=share-text]')
  await expect(shown).toHaveCount(10)
  const counts = await Promise.all((await shown.all()).map(numberIn))
  expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  const [others, whole] = await Promise.all(
    (await card(title).locator('[data-part~=rank-rest] dd').all()).map(numberIn),
  )
  expect(counts.reduce((so, count) => so + count, others ?? 0)).toBe(whole)
  await button(page, words['rank.least']).click()
  await expect(page).toHaveURL(/sort=quantityLeast/)
  await expect(page.locator('[data-part~=overview][aria-busy=false]')).toBeVisible()
  const fewest = await Promise.all((await shown.all()).map(numberIn))
  expect(fewest).toEqual(fewest.toSorted((one, other) => one - other))
  expect(fewest.at(-1)).toBeLessThanOrEqual(counts.at(-1) ?? 0)
})

test('an operator opens its machines, and one of those opens itself', async () => {
  await page.goto(pathOf('home/syyyxlpm'))
  const title = `${titles['home/syyyxlpm']} · ${words['by.operator']}`
  const first = bars(title).first()
  const name = await first.getByRole('link').innerText()
  const amount = await numberIn(first.locator('[data-part~=share-text]'))
  await first.getByRole('link').click()
  await expect(page.getByText(filled(words['only.operator'], { name }))).toBeVisible()
  await expect
    .poll(() => numberIn(figures().locator('[data-part~=report-total]').first().locator('strong')))
    .toBe(amount)
  const machine = bars(titles['home/syjqpm']).first().getByRole('link')
  const machineName = await machine.innerText()
  await machine.click()
  await expect(drawerOf(page)).toContainText(machineName)
})

test('a ranking goes along as a sheet of the download centre and as a picture of the chart', async () => {
  await page.goto(pathOf('home/syjqpm'))
  await settledAt('preset.yesterday')
  const title = titles['home/syjqpm']
  await page.getByRole('button', { name: admin['export.button'], exact: true }).click()
  await page.getByRole('menuitem', { name: admin['export.xlsx'] }).click()
  await expect(told(page, title)).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(card(title), filled(words['picture.of'], { title })).click(),
  ])
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${title} \\d{4}-\\d\\d-\\d\\d\\.png$`))
  const picture = await readFile(await download.path(), 'base64')
  const seen = await page.evaluate(inPicture, picture)
  const box = await card(title).locator('[data-part~=report-chart]').boundingBox()
  expect(seen.width).toBeGreaterThan((box?.width ?? 0) * 2)
  expect(seen.height).toBeGreaterThan((box?.height ?? 0) * 2)
  // The bars are there in their colour, as much of them as the page shows, and words stand beside them.
  expect(seen.bars / 4).toBeGreaterThan(0.9 * (await barArea(title)))
  expect(seen.dark).toBeGreaterThan(1_000)
  await page.goto(pathOf('tjfx/bbdc'))
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText(title)
})

/** How many points of the picture have the colour of the bars, and how many are nearly black. */
async function inPicture(base64: string) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes]))
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const paint = canvas.getContext('2d')
  paint?.drawImage(bitmap, 0, 0)
  const { data = [] } = paint?.getImageData(0, 0, bitmap.width, bitmap.height) ?? {}
  const counted = { width: bitmap.width, height: bitmap.height, bars: 0, dark: 0 }
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]]
    if (red === 0x15 && green === 0x57 && blue === 0xd6) counted.bars += 1
    if (red + green + blue < 200) counted.dark += 1
  }
  return counted
}

/** Of the bars on the page, in its points; round ends and the marks that lie upon them take a little away. */
const barArea = (title: string): Promise<number> =>
  card(title)
    .locator('[data-part~=share-track] i')
    .evaluateAll((all) =>
      all.reduce((so, each) => so + each.getBoundingClientRect().width * each.getBoundingClientRect().height, 0),
    )
