import { expect, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { filled, signedIn } from '../kit/desk'

/** The manual opens beside the page that one is on, says what its buttons do, and is found from everywhere. */
const { funds, screens: titles, system: words } = catalogs.zh
const place = (text: string) => text.replaceAll(/\{\{\w+\}\}/g, '…')

test('the manual opens at the page that one is on and says what its controls do', async ({ browser }) => {
  const page = await signedIn(browser, 'merchant')
  await page.goto(screenOf('cfgl/txgl').path)
  await page.getByRole('button', { name: words['shell.tools'] }).click()
  const [manual] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('menuitem', { name: words['tool.manual'] }).click(),
  ])
  const article = manual.getByRole('article')
  await expect(article.getByRole('heading', { name: titles['cfgl/txgl'] })).toBeVisible()
  await expect(article).toContainText(place(funds['verb.applyWithdrawal.ask']))
  await expect(article).toContainText(funds['withdrawalState.returned.help'])
  await expect(article).toContainText(place(funds['refusal.withdrawal.newBankAccount']))
  await page.context().close()
})

test('what a page says is found from the search over everything', async ({ browser }) => {
  const page = await signedIn(browser, 'merchant')
  await page.getByRole('button', { name: words['palette.open'] }).click()
  await page.getByRole('combobox', { name: words['palette.label'] }).fill(funds['verb.applyWithdrawal'])
  await page
    .getByRole('option', { name: filled(words['palette.manual'], { q: funds['verb.applyWithdrawal'] }) })
    .click()
  const contents = page.getByRole('navigation', { name: words['manual.contents'] })
  await contents.getByRole('link', { name: titles['cfgl/txgl'] }).click()
  await expect(page.getByRole('article').getByRole('heading', { name: titles['cfgl/txgl'] })).toBeVisible()
  await page.context().close()
})

test('what came since a person last looked is listed until they say that they know it', async ({ browser }) => {
  const page = await signedIn(browser, 'merchant')
  await page.goto('/manual')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const news = page.locator('[data-part=manual-news]')
  await expect(news).toHaveCount(0)
  // As if the last time there had been one page and one verb less.
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.startsWith('aisle.manual.')) ?? ''
    const known = JSON.parse(localStorage.getItem(key) ?? '')
    delete known.mine['jygl/ddgl']
    known.mine['cfgl/txgl'] = known.mine['cfgl/txgl'].filter((verb: string) => verb !== 'funds:verb.applyWithdrawal')
    localStorage.setItem(key, JSON.stringify(known))
  })
  await page.reload()
  await expect(news.getByRole('listitem')).toHaveCount(2)
  await expect(news).toContainText(`${titles['cfgl/txgl']} · ${funds['verb.applyWithdrawal']}`)
  await expect(news).toContainText(words['manual.news.page'])
  await news.getByRole('button', { name: words['manual.news.read'] }).click()
  await expect(news).toHaveCount(0)
  await page.context().close()
})
