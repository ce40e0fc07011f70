import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, signedIn } from '../kit/desk'

const { admin: kit, catalog, screens } = catalogs.zh

const printed = (page: Page) =>
  page.addInitScript(() => {
    window.print = () =>
      document.body.setAttribute('data-paper', document.querySelector('[data-part~=list-paper]')?.outerHTML ?? '')
  })

test('on paper a time is said by the clock: how long ago it was is wrong a minute later', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await printed(page)
  await page.goto(`${screenOf('jygl/ddgl').path}?method=cash`)
  await expect(page.getByRole('table').locator('time').first()).not.toHaveText(/\d{4}.*\d\d:\d\d/)
  await button(page, kit['list.print']).click()
  const time = () =>
    page.evaluate(() => {
      const html = document.body.getAttribute('data-paper') ?? ''
      return new DOMParser().parseFromString(html, 'text/html').querySelector('time')?.textContent ?? ''
    })
  await expect.poll(time).toMatch(/^\d{4}.*\d\d:\d\d:\d\d$/)
  await page.context().close()
})

test('a list is printed whole under its filter, however few rows a page shows, and without the menu', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await printed(page)
  await page.goto(`${screenOf('spgl/wdsp').path}?state=online`)
  const list = page.getByRole('region', { name: screens['spgl/wdsp'], exact: true })
  const counted = page.locator('.list-head .list-total')
  await expect(counted).toHaveText(/\d/)
  const total = Number(/\d+/.exec((await counted.innerText()).replace(',', ''))?.[0])
  expect(total).toBeGreaterThan(20)
  await expect(list.getByRole('table').getByRole('row')).toHaveCount(21)
  await button(list, kit['list.print']).click()
  await expect(page.locator('body')).toHaveAttribute('data-paper', /<table>/)
  const paper = await page.evaluate(() => {
    const html = document.body.getAttribute('data-paper') ?? ''
    return new DOMParser().parseFromString(html, 'text/html').querySelectorAll('tbody tr').length
  })
  expect(paper).toBe(total)
  const said = `${catalog['field.state']}: ${catalog['productState.online']}`
  await expect(page.locator('body')).toHaveAttribute('data-paper', new RegExp(said))
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: catalogs.zh.system['shell.nav'] })).toBeHidden()
  await expect(list.getByRole('table')).toBeVisible()
  await page.context().close()
})
