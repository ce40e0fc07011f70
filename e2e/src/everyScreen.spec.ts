import { expect, type Locator, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { mayOpen } from '@aisle/contract/identity/permissions'
import type { Screen } from '@aisle/contract/kernel/screen'
import type { Language } from '@aisle/contract/kernel/text'
import { screens } from '@aisle/contract/screens'
import { type Account, accounts, password } from './kit/harness'
import { type Look, looks, looksOf } from './kit/looks'
import { signIn } from './kit/signInClient'
import { expectSound, goInside, headed, openVisit, settled, signInAs, type Visit } from './kit/visit'

/**
 * Each screen of the contract in a real browser: its heading in the language, nothing in the console, no failed call,
 * no text that is missing, nothing axe objects to. Who may not open it finds neither the page nor its menu.
 */
test.describe.configure({ mode: 'parallel', timeout: 300_000 })
// A trace of some hundred pages costs as much as visiting them.
test.use({ trace: 'off' })

const inside = screens.filter((screen) => screen.access !== 'public')
const url = process.env.AISLE_E2E_URL ?? ''
const grants = new Map<Account, readonly string[]>()

for (const [i, look] of looks.entries()) {
  const { account, language, theme, width } = look
  test(`screens of ${account} in ${language}, ${theme}, ${width} px`, async ({ browser }) => {
    await knowGrants()
    const visit = await openVisit(browser, look)
    const faults: string[] = []
    await signInAs(visit.page, account)
    if (isFirstOfWidth(look)) await test.step('menu', () => expectMenu(visit, account))
    const mine = inside
      .map((screen) => ({ screen, nth: looksOf(screen, (who) => may(who, screen)).indexOf(look) }))
      .filter(({ nth }) => nth >= 0)
    const firstPlain = mine.find(({ screen }) => !screen.built)?.screen
    for (const { screen, nth } of mine) {
      const turn = { at: i, isKnown: !screen.built && screen !== firstPlain, isSecond: nth % 2 === 1 }
      await test.step(screen.key, () => noting(faults, screen.key, () => expectScreen(visit, screen, turn)))
    }
    const forbidden = inside.filter((each) => !may(account, each)).filter((_, at) => at % looks.length === i)
    for (const screen of forbidden) {
      await test.step(`not ${screen.key}`, () => expectForbidden(visit, screen, screen !== forbidden[0]))
    }
    await visit.close()
    expect(faults).toEqual([])
  })
}

/** A menu's links are the same in every language. */
const isFirstOfWidth = (look: Look): boolean =>
  looks.find(({ account, width }) => account === look.account && width === look.width) === look

/** One screen that is wrong does not hide the next one. */
async function noting(faults: string[], key: string, look: () => Promise<void>): Promise<void> {
  try {
    await look()
  } catch (cause) {
    faults.push(`${key}: ${String(cause).slice(0, 900)}`)
  }
}

const may = (account: Account, { access }: Screen): boolean => mayOpen(grants.get(account) ?? [], access)

const titleOf = ({ key }: Screen, language: Language): string =>
  (catalogs[language].screens as Record<string, string>)[key] ?? ''

/** The groups are opened one after the other; what then stands in the menu is what the account may open. */
async function expectMenu({ page, look, problems }: Visit, account: Account): Promise<void> {
  await page.goto('/dashboard')
  const words = catalogs[look.language].system
  if (look.width < 600) await page.getByRole('button', { name: words['shell.menuOpen'] }).click()
  const menu = page.getByRole('navigation', { name: words['shell.nav'] })
  await expect(menu.getByRole('link').first()).toBeVisible()
  const closed = menu.getByRole('button', { expanded: false })
  for (let left = await closed.count(); left > 0; left -= 1) await closed.first().click()
  const paths = await menu.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const allowed = inside.filter((screen) => may(account, screen))
  // Systems of others that an administrator added lead outwards; the menu's own tests speak of those.
  const inward = paths.filter((path) => !path?.startsWith('http'))
  expect(inward.filter((path) => !allowed.some((screen) => screen.path === path))).toEqual([])
  // Forms and details are opened from rows; a list, a report or a dashboard has its place in the menu.
  const entries = allowed.filter(({ group, shape }) => group !== 'public' && /^(list|report|dashboard)$/.test(shape))
  expect(paths).toEqual(expect.arrayContaining(entries.map(({ path }) => path)))
  expect(problems).toEqual([])
}

/**
 * A screen is opened by its address in one of its looks and from within in the next. Axe, which is slow, is asked of a
 * list in the first and of what its rows open in the second.
 */
type Turn = { at: number; isKnown: boolean; isSecond: boolean }

async function expectScreen(visit: Visit, screen: Screen, turn: Turn): Promise<void> {
  const { page, look } = visit
  if (screen.built && !turn.isSecond) await page.goto(screen.path)
  else await goInside(page, screen.path)
  const title = titleOf(screen, look.language)
  // The landing page greets by another title than the menu's.
  if (screen.group === 'public') await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty()
  else await headed(page, title)
  await expect(page).toHaveTitle(`${title} · Aisle`)
  if (screen.built) await settled(page)
  const opens = screen.built && screen.shape === 'list'
  await expectSound(visit, screen.path, turn.isKnown || (opens && turn.isSecond))
  if (opens) await expectDrawer(visit, page.getByRole('region', { name: title }), turn)
}

/** The first row opens; where its drawer has tabs, the looks share them. Who sees no rows is told why. */
async function expectDrawer(visit: Visit, rows: Locator, { at, isSecond }: Turn): Promise<void> {
  const { page } = visit
  const shown = rows.locator('tbody tr, [data-part~=card], [role=treeitem]').first()
  const row = rows.locator('a[data-row]').first()
  const nothing = rows.locator('[data-part~=empty]')
  await expect(shown.or(nothing).first()).toBeVisible()
  if (await nothing.isVisible()) return expect(nothing).not.toBeEmpty()
  // A row that says everything has no drawer.
  if ((await row.count()) === 0) return expect(shown).not.toBeEmpty()
  await row.click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('heading', { level: 2 })).not.toBeEmpty()
  await settled(page)
  const tabs = await drawer.getByRole('tab').all()
  await tabs[at % tabs.length]?.click()
  await settled(page)
  await expectSound(visit, page.url(), !isSecond)
}

async function expectForbidden(visit: Visit, screen: Screen, isKnown: boolean): Promise<void> {
  const { page, look } = visit
  await goInside(page, screen.path)
  const refused = catalogs[look.language].system['forbidden.title']
  await headed(page, refused.replace('{{title}}', titleOf(screen, look.language)))
  await expectSound(visit, `forbidden ${screen.path}`, isKnown)
}

let known: Promise<unknown> | undefined
/** Not before all: a hook would hand the looks to the workers in two heaps, and the first to end would stand idle. */
const knowGrants = (): Promise<unknown> =>
  (known ??= Promise.all(accounts.map(async (account) => grants.set(account, await grantsOf(account)))))

async function grantsOf(account: Account): Promise<readonly string[]> {
  const { token } = await signIn(url, account, password)
  const answer = await fetch(`${url}/user/info`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = await answer.json()
  return data.permissions
}
