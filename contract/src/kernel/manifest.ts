import type { Endpoint, ListEndpoint } from './endpoint'
import type { Fields } from './field'

/** A list that can be exported as it is filtered: its fields say how a cell reads in a sheet. */
export type Exportable = {
  list: ListEndpoint
  fields: Fields
  /** The catalog with `field.<name>` and the words of states. */
  words: string
  /** Whose title names the sheet. */
  screen: string
}

/** What a domain declares; its screens stand in its `screens.ts`, which browsers read before anything is called. */
export type Manifest = { endpoints: readonly Endpoint[]; exports?: readonly Exportable[] }

/** Says the type of each by itself: a list of many kinds would have the checker compare each with each for minutes. */
export const exportable = (list: ListEndpoint, fields: Fields, words: string, screen: string): Exportable => ({
  list,
  fields,
  words,
  screen,
})

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** A list stands for two: its rows, and how many there are. */
const callsOf = (each: Endpoint & { count?: Endpoint }): Endpoint[] => (each.count ? [each, each.count] : [each])

/** @param modules said to hold anything, since comparing the types of some hundred endpoints takes minutes */
export const endpointsIn = (modules: readonly Readonly<Record<string, unknown>>[]): Endpoint[] =>
  modules.flatMap((module) => Object.values(module).filter(isEndpoint).flatMap(callsOf))
