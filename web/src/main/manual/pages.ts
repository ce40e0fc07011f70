import type { Access } from '@aisle/contract/kernel/endpoint'
import type { Screen } from '@aisle/contract/kernel/screen'
import { isNamespace, type Namespace, usePatterns } from '../../ui/text'
import controls from './controls.json'

/** What a page of the manual names, in keys of the catalogs; written by tools/manual.test.ts from the pages' code. */
export type Controls = {
  parts: readonly string[]
  verbs: readonly { word: string; access: string }[]
  presets: readonly string[]
  filters: readonly string[]
  states: readonly { word: string; states: readonly string[] }[]
  refusals: readonly string[]
}

const pages: Readonly<Record<string, Controls | undefined>> = controls

export const hasPage = ({ key }: Screen): boolean => pages[key] !== undefined
export const pageOf = ({ key }: Screen): Controls | undefined => pages[key]

/** A right, as the page that was read names it. */
export const accessOf = ({ access }: Controls['verbs'][number]): Access => access as Access

const keysOf = ({ parts, verbs, presets, filters, states, refusals }: Controls): string[] => [
  ...parts,
  ...verbs.map(({ word }) => word),
  ...presets,
  ...filters,
  ...states.map(({ word }) => word),
  ...refusals,
]

const spacesOf = (of: readonly Controls[]): Namespace[] =>
  [...new Set(of.flatMap(keysOf).map((key) => key.slice(0, key.indexOf(':'))))].filter(isNamespace)

/** Says keys such as `funds:verb.applyWithdrawal`; an empty text where there is none. */
export type Say = (key: string) => string

export const usePage = (page: Controls): Say => useSaid(spacesOf([page]))

const everySpace = spacesOf(Object.values(pages).filter((page) => page !== undefined))
export const useEveryPage = (): Say => useSaid(everySpace)

function useSaid(spaces: readonly Namespace[]): Say {
  const patternOf = usePatterns(spaces)
  return (key) => {
    const [space = '', ...word] = key.split(':')
    return isNamespace(space) ? patternOf(space, word.join(':')) : ''
  }
}

/** Screens whose title, purpose, verbs or refusals hold all of the words; those of the title first. */
export function foundIn(
  among: readonly Screen[],
  text: string,
  headOf: (screen: Screen) => readonly [title: string, purpose: string],
  say: Say,
): Screen[] {
  const words = text.toLowerCase().split(/\s+/)
  const holds = (texts: readonly string[]) => {
    const all = texts.join('\n').toLowerCase()
    return words.every((word) => all.includes(word))
  }
  const scored = among.map((screen) => {
    const [title, purpose] = headOf(screen)
    const { verbs = [], refusals = [] } = pageOf(screen) ?? {}
    const said = () => [...verbs.flatMap(({ word }) => [say(word), say(`${word}.ask`)]), ...refusals.map(say)]
    const score = holds([title, screen.code]) ? 3 : holds([title, purpose]) ? 2 : holds(said()) ? 1 : 0
    return { screen, score }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ screen }) => screen)
}
