import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { button, drawerOf, send, signedIn } from './kit/desk'

/** Papers of a merchant: what two people have to agree on, and what a renewal does. */
const { merchant } = catalogs.zh

/** The first row of the list, opened. */
async function openFirst(page: Page, address: string): Promise<Locator> {
  await page.goto(address)
  await page.getByRole('table').getByRole('link').first().click()
  return drawerOf(page)
}

/** The verb's button in the drawer, and the one that sends it. */
async function press(page: Page, verb: string): Promise<void> {
  await button(drawerOf(page), verb).click()
  await send(page, verb)
}

test('account information is in force once somebody else than who sent it has approved it', async ({ browser }) => {
  const asker = await signedIn(browser, 'merchant')
  const draft = await openFirst(asker, '/shgl/shzhxx?state=draft')
  await press(asker, merchant['verb.submitBankAccount'])
  await expect(draft.getByText(merchant['bankAccountState.pending'], { exact: true })).toBeVisible()
  const own = draft.getByRole('button', { name: merchant['verb.approveBankAccount'] }).first()
  await expect(own).toHaveAttribute('aria-disabled', 'true')
  const { pathname, search } = new URL(asker.url())
  const reviewer = await signedIn(browser, 'admin')
  await reviewer.goto(pathname + search)
  await press(reviewer, merchant['verb.approveBankAccount'])
  const reviewed = drawerOf(reviewer)
  await expect(reviewed.getByText(merchant['bankAccountState.approved'], { exact: true }).first()).toBeVisible()
  // The asker's own page hears of it without being loaded anew.
  await expect(draft.getByText(merchant['bankAccountState.approved'], { exact: true }).first()).toBeVisible()
  await asker.context().close()
  await reviewer.context().close()
})

test('an expired licence is renewed, and the term before stays readable', async ({ browser }) => {
  const page = await signedIn(browser, 'merchant')
  const drawer = await openFirst(page, '/shgl/zjgl?state=expired')
  await drawer.getByRole('button', { name: merchant['verb.renewLicence'] }).click()
  const form = page.locator('dialog[open]')
  await form.getByLabel(merchant['field.validFrom']).fill('2026-11-01')
  await form.getByLabel(merchant['field.validTo']).fill('2036-10-31')
  await form.getByRole('button', { name: merchant['verb.renewLicence'], exact: true }).click()
  await expect(drawer.getByText(merchant['licenceState.valid'], { exact: true })).toBeVisible()
  await expect(drawer.getByRole('listitem').filter({ hasText: '沈嘉禾' })).toBeVisible()
  await page.context().close()
})
