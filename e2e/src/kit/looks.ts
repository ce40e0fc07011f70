import { type Language, languages } from '@aisle/contract/kernel/text'
import type { Screen } from '@aisle/contract/kernel/screen'
import { screens } from '@aisle/contract/screens'
import { type Account, accounts } from './harness'

export type Look = { account: Account; language: Language; theme: 'light' | 'dark'; width: 1440 | 360 }

/**
 * Every account with every language, themes and widths spread so that each pair of values of any two stands in one
 * look: 28 looks instead of 112.
 */
export const looks: readonly Look[] = accounts.flatMap((account, a) =>
  languages.map((language, l): Look => {
    const turn = a + l
    return { account, language, theme: turn % 2 === 0 ? 'light' : 'dark', width: (turn >> 1) % 2 === 0 ? 1440 : 360 }
  }),
)

/** Visits to built screens that fit into the minutes a run may take. */
const BUILT_VISITS = 120
const builtCount = screens.filter((screen) => screen.built && screen.access !== 'public').length
const builtVisits = Math.max(2, Math.floor(BUILT_VISITS / builtCount))

/** Shares no divisor with the number of looks of any set of accounts, so that its steps reach all of them. */
const STRIDE = 11

/**
 * The looks that a screen is seen in: a built one in as many as there is time for, never fewer than two; one that
 * only says what it will show in a single one. They begin elsewhere for each screen, so that all looks have work.
 */
export function looksOf(screen: Screen, may: (account: Account) => boolean): Look[] {
  const possible = looks.filter(({ account }) => may(account))
  const wanted = Math.min(possible.length, screen.built ? builtVisits : 1)
  const first = screens.indexOf(screen)
  return Array.from({ length: wanted }, (_, k) => possible[(first + k * STRIDE) % possible.length]).flatMap(
    (look) => look ?? [],
  )
}
