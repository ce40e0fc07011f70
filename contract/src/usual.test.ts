import { expect, test } from 'vitest'
import { z } from 'zod'
import { catalogs } from './catalogs'
import { endpoints } from './endpoints'
import { languages } from './kernel/text'

test('whoever has to give a reason is offered the usual ones, in every language equally many', () => {
  const asked = endpoints.filter(({ writes, input }) => {
    const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
    return writes && ['reason', 'note'].some((name) => name in properties && required.includes(name))
  })
  expect(asked.length).toBeGreaterThan(40)
  const faults = asked.flatMap(({ name }) => {
    const [domain = '', verb = ''] = name.split('.')
    const counts = languages.map((language) => {
      const catalog = (catalogs[language] as Record<string, Record<string, string>>)[domain]
      return catalog?.[`usual.${verb}`]?.split('|').filter((reason) => reason.trim().length >= 2).length ?? 0
    })
    const isEven = counts.every((count) => count >= 2 && count === counts[0])
    return isEven ? [] : [`${name}: ${counts.join(' ')}`]
  })
  expect(faults).toEqual([])
})
