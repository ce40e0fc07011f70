import { screens } from '@aisle/contract/screens'
import { expect, test, vi } from 'vitest'
import { contractModules } from './tidy/contract'
import { controlsOf, sourcesOf } from './tidy/manual'
import { sources } from './tidy/source'
import { readCatalogs } from './tidy/texts'

/** Every source of the web is walked. */
vi.setConfig({ testTimeout: 60_000 })

const catalogs = readCatalogs()
const web = new Map(sources.filter(({ path }) => path.startsWith('web/')).map((source) => [source.path, source]))
/** What people meet before they are somebody says itself what it wants. */
const built = screens.filter(({ built, access }) => built && access !== 'public')
const manual = built.map((screen) => {
  const of = sourcesOf(screen, web)
  return { screen, of, controls: controlsOf(of, { contract: contractModules, sources: web }, catalogs) }
})

test('the manual names the controls that the pages have, and none that they do not', async () => {
  const pages = Object.fromEntries(manual.map(({ screen, controls }) => [screen.key, controls]))
  await expect(`${JSON.stringify(pages, null, 1)}\n`).toMatchFileSnapshot('../web/src/main/manual/controls.json')
})

test('every screen of the product has a page of the manual', () => {
  expect(manual.filter(({ of }) => of.length === 0).map(({ screen }) => screen.key)).toEqual([])
})
