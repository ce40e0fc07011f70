import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Schema, typeOf } from './types'

const typed = (schema: z.ZodType, io: 'input' | 'output' = 'input') => typeOf(z.toJSONSchema(schema, { io }) as Schema)

test.each([
  [z.string(), 'string'],
  [z.coerce.number().int(), 'number'],
  [z.enum(['on', 'off']), '"on" | "off"'],
  [z.literal('true').optional(), '"true"'],
  [z.string().nullable(), 'string | null'],
  [z.array(z.int()), 'number[]'],
  [z.array(z.enum(['a', 'b'])), 'Array<"a" | "b">'],
  [z.tuple([z.number(), z.string()]), '[number, string]'],
  [z.record(z.string(), z.boolean()), 'Record<string, boolean>'],
  [z.strictObject({ id: z.int(), name: z.string().optional() }), '{ "id": number; "name"?: string }'],
  [z.object({}), '{}'],
  [
    z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]),
    '{ "k": "a" } | { "k": "b" }',
  ],
])('case %#: a schema reads as the type of what it takes', (schema, type) => {
  expect(typed(schema)).toBe(type)
})

test('what has a default may be left out by who calls, and is always answered', () => {
  const schema = z.object({ size: z.int().default(20) })
  expect(typed(schema)).toBe('{ "size"?: number }')
  expect(typed(schema, 'output')).toBe('{ "size": number }')
})
