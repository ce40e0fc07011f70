import { catalogs } from '@aisle/contract/catalogs'
import { endpoints } from '@aisle/contract/endpoints'
import { languages } from '@aisle/contract/kernel/text'
import { expect, test } from 'vitest'

/** The log calls each write by a name that a person reads; an endpoint added tomorrow is asked for its words here. */
test.each(languages)('every write has a name in the log, in %s', (language) => {
  const words: Record<string, string> = catalogs[language].audit
  const unnamed = endpoints.filter(({ name, writes }) => writes && !words[`action.${name}`])
  expect(unnamed.map(({ name }) => name)).toEqual([])
})
