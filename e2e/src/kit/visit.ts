import axe from 'axe-core'
import { type Browser, expect, type Page, type Request } from '@playwright/test'
import { locales } from '@aisle/contract/kernel/text'
import { password } from './harness'
import type { Look } from './looks'
import { strangeWords } from './words'

/** A tab as one kind of person has it: language, theme and width; what went wrong in it is collected. */
export type Visit = { page: Page; look: Omit<Look, 'account'>; problems: string[]; close: () => Promise<void> }

export async function openVisit(
  browser: Browser,
  look: Omit<Look, 'account'>,
  baseURL = process.env.AISLE_E2E_URL,
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL,
    locale: locales[look.language],
    colorScheme: look.theme,
    viewport: { width: look.width, height: look.width < 600 ? 800 : 900 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  countCalls(page)
  await page.addInitScript((wanted) => {
    if (!localStorage.getItem('aisle.language')) localStorage.setItem('aisle.language', wanted)
  }, look.language)
  return { page, look, problems: collectProblems(page), close: () => context.close() }
}

function collectProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', (request) => {
    // Leaving a page ends its calls; that is no failure.
    const { errorText = '' } = request.failure() ?? {}
    if (!errorText.includes('ABORTED')) problems.push(`failed: ${request.url()} ${errorText}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`)
  })
  return problems
}

export async function signInAs(page: Page, account: string, secret = password): Promise<void> {
  await page.goto('/login')
  await page.locator('input[autocomplete=username]').fill(account)
  await page.locator('input[type=password]').fill(secret)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
}

/** As a link inside the application does: the router hears it, nothing is loaded anew. */
export const goInside = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState(null, '', to), path)

const underWay = new WeakMap<Page, Set<Request>>()

/** Pushes stay open, so "no traffic for half a second" would come never or late. */
function countCalls(page: Page): void {
  const calls = new Set<Request>()
  underWay.set(page, calls)
  page.on('request', (request) => calls.add(request))
  page.on('requestfinished', (request) => calls.delete(request))
  page.on('requestfailed', (request) => calls.delete(request))
}

/** The shapes that stand for what is on its way are gone, nothing is under way, and drawing asked for nothing more. */
export async function settled(page: Page): Promise<void> {
  const calls = underWay.get(page)
  const isQuiet = async () =>
    (await page.locator('.bone, [data-part~=page-skeleton], [aria-busy=true]').count()) === 0 && isIdle()
  const isIdle = () => [...(calls ?? [])].every((request) => /eventsource|websocket/.test(request.resourceType()))
  await expect
    .poll(async () => (await isQuiet()) && (await drawn(page)) && (await isQuiet()), { intervals: [30] })
    .toBe(true)
}

/**
 * A page says its name in its only heading. Asked at each frame: the runner's own pauses between two looks, up to a
 * second, are longer than most pages take to come.
 */
export async function headed(page: Page, title: string): Promise<void> {
  const isThere = (text: string) => document.querySelector('h1')?.textContent?.trim() === text
  await page.waitForFunction(isThere, title, { timeout: 10_000 }).catch(() => undefined)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
}

/** Two frames: the first draws what an answer changed, the second comes after what that asked for has left. */
const drawn = (page: Page): Promise<boolean> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))

/** Pages about texts show them as they are kept, with their keys and their open places. */
const SHOWS_TEXTS = /\/xtgl\/(yysz|xxlx)/

/**
 * What holds of every page, whatever it is for.
 * @param isKnown the same page with other words was looked at before: axe, which is slow, is not asked again
 */
export async function expectSound({ page, look, problems }: Visit, what: string, isKnown = false): Promise<void> {
  const words = SHOWS_TEXTS.test(what) ? [] : await wordsOn(page)
  expect(strangeWords(words), what).toEqual([])
  expect(await overflowOf(page), `${what} is wider than the window`).toBeLessThanOrEqual(0)
  await expect(page.locator('html')).toHaveAttribute('lang', locales[look.language])
  if (!isKnown) await expectAccessible(page, what)
  expect(problems, what).toEqual([])
}

/** What is read and what is read out. */
const wordsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const names = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'data-hint']
    const spoken = [...document.body.querySelectorAll('*')].flatMap((each) =>
      names.map((name) => each.getAttribute(name) ?? ''),
    )
    return [document.title, document.body.innerText, ...spoken].filter(Boolean)
  })

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']

/**
 * WCAG A and AA as far as a program can see them. Axe is given to a page once, and only what it objects to comes back:
 * all that it looked at, through the wire, takes longer than looking.
 */
export async function expectAccessible(page: Page, what: string, tags = WCAG): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found = await page.evaluate(async (runOnly) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly,
      resultTypes: ['violations'],
      preload: false,
      rules: { 'label-content-name-mismatch': { enabled: true } },
    })
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`))
  }, tags)
  expect(found, what).toEqual([])
}
