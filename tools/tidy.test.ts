import { BUG, refusalCodes, refusalOf } from '@aisle/contract/kernel/refusal'
import { languages } from '@aisle/contract/kernel/text'
import { screens } from '@aisle/contract/screens'
import { expect, test, vi } from 'vitest'
import { contractModules } from './tidy/contract'
import { forbiddenImports } from './tidy/layers'
import { sharedTables, tablesIn } from './tidy/owners'
import { outOfRole, rolesIn } from './tidy/roles'
import * as shape from './tidy/shape'
import { isTest, lineCount, paths, read, type Source, sources } from './tidy/source'
import * as styles from './tidy/styles'
import { comparedStates, quotedStates, stateWordsOf } from './tidy/states'
import { firstPartsIn, linksIn, listsIn, namelessFilters, silentLists, strayLinks, unwordedChoices } from './tidy/links'
import * as texts from './tidy/texts'

/** Every source is walked, on a machine that may be busy with other checks. */
vi.setConfig({ testTimeout: 60_000 })

/** Written by a test from the database, not by people. */
const isGenerated = (path: string) => path === 'server/src/db/tables.ts'

const readable = paths
  .filter((path) => /\.(ts|tsx|mjs|css|sql)$/.test(path) && !isGenerated(path))
  .map((path) => ({ path, text: read(path) }))
const sheets = readable.filter(({ path }) => path.endsWith('.css'))
const product = sources.filter(({ path }) => /^(contract|server|web|fleet)\//.test(path))
const catalogs = texts.readCatalogs()
const filterWords = [...contractModules].flatMap(([path, module]) => texts.filterWordsIn(path, module))
const stateWords = [...contractModules].flatMap(([path, module]) => texts.stateWordsIn(path, module))

const inAll = (judge: (source: Source) => string[]) => sources.flatMap(judge)

/** Compared as text, so that the failure lists every offender. */
const none = (offenders: readonly string[]) => expect(offenders.join('\n')).toBe('')

const linesBelow = (folder: string) =>
  sources
    .filter(({ path }) => path.startsWith(folder) && !isTest(path))
    .reduce((sum, { text }) => sum + lineCount(text), 0)

test('imports follow the table: never upward, never across, never server and web together', () =>
  none(forbiddenImports(sources)))

test('a table is written by one slice; the others call its public.ts', () =>
  none(sharedTables(sources, tablesIn(read('server/src/db/tables.ts')))))

test('a file of the server holds what its role in the architecture lets it hold', () => {
  const roles = rolesIn(read('docs/ARCHITECTURE.md'))
  expect(roles.filter(({ ends, never }) => ends.length > 0 && never.length > 0)).toHaveLength(5)
  none(inAll((source) => outOfRole(source, roles)))
})

test('no file has more than 400 lines', () => none(shape.tooLong(readable)))
test('no folder holds more than 40 files', () => none(shape.fullFolders(paths)))
test('no function has more than 70 lines', () => none(inAll(shape.longFunctions)))
test('no line has more than 120 columns', () => none(shape.tooWide(readable)))
test('the time comes from a clock that is passed in', () => none(inAll(shape.clockReads)))
test('the number of rows that a statement wants stands in its text', () => none(inAll(shape.plannedLimits)))
test('nothing is any', () => none(inAll(shape.anyTypes)))
test('only errors are classes; there are no enums and no interfaces', () => none(inAll(shape.oddShapes)))
test('only tools and entry points write to the console', () => none(inAll(shape.consoleCalls)))
test('only public.ts passes on what other files export', () => none(inAll(shape.barrels)))
test('only routed pages have a default export', () => none(inAll(shape.defaultExports)))
test('a TODO names its issue', () => none(inAll(shape.looseTodos)))
test('no test is left out, run alone or works on a mock', () => none(inAll(shape.weakTests)))

/** Some of it is the entity, which pays for itself with each plain thing (docs/decisions/0040), and the manifests. */
test('the kernel of the contract stays within 800 lines', () =>
  expect(linesBelow('contract/src/kernel/')).toBeLessThanOrEqual(800))
test('the page kit stays within 3,900 lines', () => expect(linesBelow('web/src/admin/')).toBeLessThanOrEqual(3900))

test('but for three sheets, styles are modules beside what wears them', () => none(styles.looseSheets(sheets)))
test('a length of spacing or type is on the scale, or says why not', () => none(sheets.flatMap(styles.offScale)))
test('a class is worn, and what is worn is a class', () => none(styles.strayNames(sheets, sources)))
test('a class without a module is a word of ui/words.css', () => none(styles.unknownWords(sheets, sources)))

test('every text stands in all four languages', () => none(texts.missingTexts(catalogs)))
test('a text has the same variables in every language', () => none(texts.unequalVariables(catalogs)))
test('no Chinese is left in the other languages', () => none(texts.untranslated(catalogs)))
test('every key that code asks for exists', () =>
  none(product.flatMap((source) => texts.unknownKeys(source, catalogs))))

test('every refusal is worded in the catalog of its domain', () =>
  none(refusalCodes().filter((code) => !catalogs[refusalOf(code)?.domain ?? '']?.zh?.[`refusal.${code}`])))

test('states are asked for by their table, and written by its verbs', () => {
  const words = new Set([...contractModules.values()].flatMap((module) => stateWordsOf(module)))
  none([...inAll((source) => comparedStates(source, words)), ...inAll(quotedStates)])
})

test('every state has its word and its explanation', () =>
  none(
    stateWords.flatMap(({ words, states, path }) => {
      const catalog = catalogs[/src\/(\w+)\//.exec(path)?.[1] ?? '']?.zh ?? {}
      const keys = states.flatMap((state) => [`${words}.${state}`, `${words}.${state}.help`])
      return keys.filter((key) => !catalog[key]).map((key) => `${path}: ${key}`)
    }),
  ))

test('an empty list and what it is filtered by are worded, and a link says what its list takes, in words', () => {
  const web = sources.filter(({ path }) => path.startsWith('web/'))
  const known = { contract: contractModules, sources: new Map(web.map((source) => [source.path, source])) }
  const lists = web.flatMap((source) => listsIn(source, known))
  expect(lists.length).toBeGreaterThan(90)
  const firstParts = new Map(web.flatMap((source) => firstPartsIn(source, known)))
  const links = product.flatMap(linksIn)
  none([
    ...namelessFilters(lists, catalogs),
    ...silentLists(lists, catalogs),
    ...unwordedChoices(lists, catalogs),
    ...strayLinks(links, { lists, firstParts }, catalogs),
  ])
})

test('every screen that a domain declares stands in the menu', () => {
  const declared = sources
    .filter(({ path }) => /^contract\/src\/\w+\/screens\.ts$/.test(path))
    .flatMap(({ text }) => [...text.matchAll(/screen\('([\w/]+)'/g)].map(([, key]) => key ?? ''))
  expect(declared.sort()).toEqual(screens.map(({ key }) => key).sort())
})

test('every screen has a title and a purpose', () =>
  none(
    screens.flatMap(({ key }) =>
      ['screens', 'purposes'].filter((kind) => !catalogs[kind]?.zh?.[key]).map((kind) => `${key}: ${kind}`),
    ),
  ))

test('every text is used', () =>
  none(
    texts.unusedTexts(catalogs, texts.spokenIn(product), {
      states: [...stateWords, ...filterWords],
      refusals: [...refusalCodes(), BUG],
      screens: screens.map(({ key }) => key),
    }),
  ))

test('the glossary explains every noun of the screens', () => {
  const glossary = read('docs/GLOSSARY.md')
  const nouns = [...new Set(screens.map(({ noun }) => noun))]
  none(nouns.filter((noun) => !new RegExp(`\\b${noun}\\b`).test(glossary)))
})

test('the architecture fits 100 lines', () => expect(lineCount(read('docs/ARCHITECTURE.md'))).toBeLessThanOrEqual(100))

test('nothing names a folder of the machine it was written on', () => {
  const places = [['', 'work', ''].join('/'), `.${'library'}/`, ['shared', 'design'].join('/')]
  const written = paths.filter((path) => /\.(tsx?|mjs|md|json|sql|css|html|ya?ml)$|^NOTICE$|^\.ci\/run$/.test(path))
  none(written.flatMap((path) => places.filter((text) => read(path).includes(text)).map((text) => `${path}: ${text}`)))
})

test('every catalog has the four languages and no other', () =>
  none(
    Object.entries(catalogs)
      .filter(([, byLanguage]) => Object.keys(byLanguage).sort().join() !== [...languages].sort().join())
      .map(([domain]) => domain),
  ))
