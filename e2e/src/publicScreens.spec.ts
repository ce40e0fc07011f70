import { expect, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import type { Screen } from '@aisle/contract/kernel/screen'
import { type Language, languages } from '@aisle/contract/kernel/text'
import { screens } from '@aisle/contract/screens'
import type { Look } from './kit/looks'
import { expectSound, openVisit, settled, type Visit } from './kit/visit'

/** Each screen that needs no session, in each language; themes and widths take turns. */
test.describe.configure({ mode: 'parallel', timeout: 120_000 })
test.use({ trace: 'off' })

const entrances = screens.filter((screen) => screen.access === 'public')
/** Entrances for one country speak its language, whatever the browser prefers (specification 2.1). */
const speaks: Partial<Record<string, Language>> = { 'public/loginAme': 'en', 'public/loginFr': 'fr' }

for (const [l, language] of languages.entries()) {
  test(`public screens in ${language}`, async ({ browser }) => {
    for (const [n, screen] of entrances.entries()) {
      const turn = l + n
      const theme = turn % 2 === 0 ? 'light' : 'dark'
      const look = { language, theme, width: (turn >> 1) % 2 === 0 ? 1440 : 360 } as const
      await test.step(screen.key, async () => {
        const visit = await openVisit(browser, look)
        await expectEntrance(visit, screen)
        await visit.close()
      })
    }
  })
}

async function expectEntrance({ page, look, problems, close }: Visit, screen: Screen): Promise<void> {
  const language = speaks[screen.key] ?? look.language
  await page.goto(screen.path)
  await settled(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(headingOf(screen, language))
  const why = handOverRefusal(screen, language)
  // What is refused until an administrator configures it says so, on the page and in the console.
  const others = problems.filter((each) => why === null || !/503/.test(each))
  if (why !== null) await expect(page.getByRole('alert')).toContainText(why)
  await expectSound({ page, look: { ...look, language }, problems: others, close }, screen.path)
}

function headingOf(screen: Screen, language: Language): string {
  if (screen.shape === 'board') return catalogs[language].wallboard.title
  const words = catalogs[language].identity
  if (handOverRefusal(screen, language) !== null) return words['sso.failed']
  return screen.code === 'loginSrx' ? words['login.partner.title'] : words['login.welcome']
}

/** What the entrances that sign in by themselves say without a provider and without a ticket; null for all others. */
function handOverRefusal({ code }: Screen, language: Language): string | null {
  const words = catalogs[language].identity
  if (code === 'ssologin') return words['refusal.signIn.ssoNotConfigured']
  return code === 'loginSilent' ? words['sso.noTicket'] : null
}

const titles = { app: 'about.app.title', helper: 'about.helper.title', forgot: 'forgotten.title' } as const

for (const about of ['app', 'helper', 'forgot'] as const) {
  const look: Omit<Look, 'account'> = { language: 'fr', theme: 'dark', width: 360 }
  test(`what the link to the ${about} opens`, async ({ browser }) => {
    const visit = await openVisit(browser, look)
    await visit.page.goto(`/login?about=${about}`)
    await settled(visit.page)
    const title = catalogs[look.language].identity[titles[about]]
    await expect(visit.page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expectSound(visit, about)
    await visit.close()
  })
}
