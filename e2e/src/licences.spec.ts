import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { openVisit, signInAs } from './visit'

/** Papers of a merchant: what two people have to agree on, and what a renewal does. */
const { merchant } = catalogs.zh
const desk = { language: 'zh', theme: 'light', width: 1440 } as const

async function signedIn(browser: Browser, account: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const { page, close } = await openVisit(browser, desk)
  await signInAs(page, account)
  return { page, close }
}

const drawerOf = (page: Page): Locator =>
  page.getByRole('dialog').filter({ has: page.getByRole('heading', { level: 2 }) })

/** The first row of the list, opened. */
async function openFirst(page: Page, address: string): Promise<Locator> {
  await page.goto(address)
  await page.getByRole('table').getByRole('link').first().click()
  return drawerOf(page)
}

/** The verb's button in the drawer, and the one that sends it. */
async function press(page: Page, verb: string): Promise<void> {
  await drawerOf(page).getByRole('button', { name: verb, exact: true }).click()
  await page.locator('dialog[open]').getByRole('button', { name: verb, exact: true }).click()
}

test('account information is in force once somebody else than who sent it has approved it', async ({ browser }) => {
  const asker = await signedIn(browser, 'merchant')
  const draft = await openFirst(asker.page, '/shgl/shzhxx?state=draft')
  await press(asker.page, merchant['verb.submitBankAccount'])
  await expect(draft.getByText(merchant['bankAccountState.pending'], { exact: true })).toBeVisible()
  const own = draft.getByRole('button', { name: merchant['verb.approveBankAccount'] }).first()
  await expect(own).toHaveAttribute('aria-disabled', 'true')
  const { pathname, search } = new URL(asker.page.url())
  const reviewer = await signedIn(browser, 'admin')
  await reviewer.page.goto(pathname + search)
  await press(reviewer.page, merchant['verb.approveBankAccount'])
  const reviewed = drawerOf(reviewer.page)
  await expect(reviewed.getByText(merchant['bankAccountState.approved'], { exact: true }).first()).toBeVisible()
  // The asker's own page hears of it without being loaded anew.
  await expect(draft.getByText(merchant['bankAccountState.approved'], { exact: true }).first()).toBeVisible()
  await asker.close()
  await reviewer.close()
})

test('an expired licence is renewed, and the term before stays readable', async ({ browser }) => {
  const { page, close } = await signedIn(browser, 'merchant')
  const drawer = await openFirst(page, '/shgl/zjgl?state=expired')
  await drawer.getByRole('button', { name: merchant['verb.renewLicence'] }).click()
  const form = page.locator('dialog[open]')
  await form.getByLabel(merchant['field.validFrom']).fill('2026-11-01')
  await form.getByLabel(merchant['field.validTo']).fill('2036-10-31')
  await form.getByRole('button', { name: merchant['verb.renewLicence'], exact: true }).click()
  await expect(drawer.getByText(merchant['licenceState.valid'], { exact: true })).toBeVisible()
  await expect(drawer.getByRole('listitem').filter({ hasText: '沈嘉禾' })).toBeVisible()
  await close()
})
