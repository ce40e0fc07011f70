import { screens } from '@aisle/contract/screens'
import { expect, test, vi } from 'vitest'
import { controlsOf, sourcesOf } from './tidy/manual'
import { isTest, paths, root, sources } from './tidy/source'
import { readCatalogs } from './tidy/texts'

/** Every source of the web is walked. */
vi.setConfig({ testTimeout: 60_000 })

const catalogs = readCatalogs()
const contract = new Map(
  await Promise.all(
    paths
      .filter((path) => /^contract\/src\/.*\.ts$/.test(path) && !isTest(path))
      .map(
        async (path) => [path, (await import(/* @vite-ignore */ `${root}${path}`)) as Record<string, unknown>] as const,
      ),
  ),
)
const web = new Map(sources.filter(({ path }) => path.startsWith('web/')).map((source) => [source.path, source]))
/** What people meet before they are somebody says itself what it wants. */
const built = screens.filter(({ built, access }) => built && access !== 'public')
const manual = built.map((screen) => {
  const of = sourcesOf(screen, web)
  return { screen, of, controls: controlsOf(of, { contract, sources: web }, catalogs) }
})

test('the manual names the controls that the pages have, and none that they do not', async () => {
  const pages = Object.fromEntries(manual.map(({ screen, controls }) => [screen.key, controls]))
  await expect(`${JSON.stringify(pages, null, 1)}\n`).toMatchFileSnapshot('../web/src/main/manual/controls.json')
})

test('every screen of the product has a page of the manual', () => {
  expect(manual.filter(({ of }) => of.length === 0).map(({ screen }) => screen.key)).toEqual([])
})
