import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { loginForm } from './loginForm'
import { openVisit, signInAs } from './visit'

/** What people at their desks do on every page, and how they find things there. */
const desk = { language: 'zh', theme: 'light', width: 1440 } as const
const { admin: kit, identity, system } = catalogs.zh

/** A tab of their own, as one who has not signed in yet. */
export const openDesk = async (browser: Browser, address?: string): Promise<Page> =>
  (await openVisit(browser, desk, address)).page

export async function signedIn(browser: Browser, account: string, address?: string, secret?: string): Promise<Page> {
  const page = await openDesk(browser, address)
  await signInAs(page, account, secret)
  return page
}

/** The row that is open beside its list; a verb's question stands above it and is another dialog. */
export const drawerOf = (page: Page): Locator => page.locator('[data-part~=drawer][role=dialog]')

/** The question or form that a verb opens; its button that sends it bears the same name. */
export const formOf = (page: Page): Locator => page.locator('dialog[open]')

export const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true })

export const send = (page: Page, verb: string): Promise<void> => button(formOf(page), verb).click()

/** Said for a few seconds, when something was done. */
export const told = (page: Page, text: string): Locator => page.getByRole('status').filter({ hasText: text })

export const menuOf = (page: Page): Locator => page.getByRole('navigation', { name: system['shell.nav'] })

export const openUserMenu = (page: Page): Promise<void> =>
  page.getByRole('button', { name: system['shell.userMenu'].split('{{')[0] ?? '' }).click()

/** A text of a catalog with its places filled. */
export const filled = (text: string, vars: Record<string, string | number>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(vars[name] ?? `{{${name}}}`))

/** The row of a list with exactly this in one of its cells, opened. */
export async function openRow(page: Page, path: string, text: string): Promise<Locator> {
  await page.goto(path)
  const cell = page.getByRole('cell', { name: text, exact: true })
  await page.getByRole('table').getByRole('row').filter({ has: cell }).getByRole('link').first().click()
  return drawerOf(page)
}

/** A field by its label, whatever stands behind it; where two begin alike, the first. */
export const field = (within: Page | Locator, label: string): Locator => within.getByLabel(label).first()

/** The password of somebody new, told once to whoever made them while nobody carries SMS out of the house. */
export async function passwordToldOnce(page: Page, name: string): Promise<string> {
  const once = page.getByRole('dialog', { name: filled(kit['firstPassword.title'], { name }) })
  await expect(once).toContainText(name)
  const given = await once.locator('code').innerText()
  await button(once, kit['secret.saved']).click()
  await expect(once).toBeHidden()
  return given
}

/** The first sign-in of somebody new ends with a password of their own; the next one lets them in. */
export async function enterFirst(page: Page, who: { account: string; given: string; own: string }): Promise<void> {
  const { account, given, own } = who
  const form = loginForm(page)
  await page.goto('/login')
  await form.fill(account, given)
  await form.password.press('Enter')
  await expect(page.getByRole('heading', { name: identity['password.must.title'] })).toBeVisible()
  await page.getByLabel(identity['password.old'], { exact: true }).fill(given)
  await page.getByLabel(identity['password.new'], { exact: true }).fill(own)
  await page.getByLabel(identity['password.again'], { exact: true }).fill(own)
  await button(page, identity['password.submit']).click()
  await expect(page.getByText(identity['password.done'])).toBeVisible()
  await form.fill(account, own)
  await form.password.press('Enter')
  await expect(page).not.toHaveURL(/login/)
}

/** A thing of ours, found by typing in the open form; what is the only choice stands there already. */
export async function pick(page: Page, label: string, typed: string): Promise<void> {
  const input = field(formOf(page), label)
  const isThere = await expect(input)
    .toHaveValue(typed, { timeout: 1_500 })
    .then(
      () => true,
      () => false,
    )
  if (isThere) return
  await input.fill(typed)
  await formOf(page).getByRole('option', { name: typed }).first().click()
}

/** The same where several may be chosen: the field stands in a group of that name. */
export async function pickOneOf(page: Page, label: string, typed: string): Promise<void> {
  await formOf(page).getByRole('group', { name: label }).getByRole('combobox').first().fill(typed)
  await formOf(page).getByRole('option', { name: typed }).first().click()
}
