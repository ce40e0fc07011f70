import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import fc from 'fast-check'
import { z } from 'zod'

type Schema = { [key: string]: unknown }

/** Inputs that fit the endpoint's JSON schema; trimming and other refinements may still refuse them. */
export function fitting(endpoint: Endpoint): fc.Arbitrary<Record<string, unknown>> {
  const schema: Schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' })
  return valueOf(schema) as fc.Arbitrary<Record<string, unknown>>
}

/** One input that the endpoint takes, for tests that are about something else. */
export function validInput(endpoint: Endpoint, fixed: Record<string, unknown>): Record<string, unknown> {
  for (const sample of fc.sample(fitting(endpoint), { numRuns: 200, seed: 1 })) {
    const required = onlyRequired(endpoint, sample)
    if (endpoint.input.safeParse({ ...required, ...fixed }).success) return { ...required, ...fixed }
  }
  throw new Error(`no valid input found for ${endpoint.name}`)
}

function onlyRequired(endpoint: Endpoint, sample: Record<string, unknown>): Record<string, unknown> {
  const kept = { ...sample }
  for (const name of Object.keys(sample)) {
    const { [name]: _, ...without } = kept
    if (endpoint.input.safeParse(without).success) delete kept[name]
  }
  return kept
}

/** Inputs of the right shape and broken ones, in equal parts. */
export function nonsense(endpoint: Endpoint): fc.Arbitrary<unknown> {
  const fits = fitting(endpoint)
  return fc.oneof(
    fits,
    fc.tuple(fits, fc.string(), oddValue).map(([input, name, value]) => ({ ...input, [name]: value })),
    fc.tuple(fits, fc.nat(), oddValue).map(([input, nth, value]) => replaced(input, nth, value)),
    fc.tuple(fits, fc.nat()).map(([input, nth]) => replaced(input, nth, undefined)),
    fc.object({ maxDepth: 4 }),
    fc.jsonValue(),
  )
}

function replaced(input: Record<string, unknown>, nth: number, value: unknown): Record<string, unknown> {
  const names = Object.keys(input)
  const name = names[nth % Math.max(1, names.length)]
  return name === undefined ? input : { ...input, [name]: value }
}

/** What breaks programs: NUL, half characters, quotes, huge and tiny numbers, deep nesting, prototypes. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    '\0',
    'a\0b',
    '\ud800',
    `'; select pg_sleep(9); --`,
    '%',
    '\\',
    '{}',
    '[]',
    'null',
    'NaN',
    '-1',
    '0x10',
    '1e309',
    '9007199254740993',
    '99999999999999999999',
    '0000-00-00',
    '0000-01-01',
    '0000-01-01T00:00:00Z',
    '2026-02-30',
    '9999-12-31',
    '-infinity',
    'x'.repeat(5_000),
    '𠀀'.repeat(40),
    '../../etc/passwd',
    null,
    true,
    -1,
    0,
    1.5,
    2 ** 53,
    -(2 ** 63),
    [],
    {},
    [[[[]]]],
    nested(200),
    JSON.parse('{"__proto__": {"admin": true}}'),
    { constructor: { prototype: { admin: true } } },
  ),
  fc.string({ unit: 'binary' }),
  fc.jsonValue(),
)

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i += 1) value = { a: value }
  return value
}

function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  const branches = schema.anyOf ?? schema.oneOf
  if (Array.isArray(branches)) return fc.oneof(...branches.map((branch) => valueOf(branch as Schema)))
  switch (schema.type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer({
        min: Math.max(limit(schema.minimum, -1000), -1e9),
        max: Math.min(limit(schema.maximum, 1e6), 1e9),
      })
    case 'number':
      return fc.oneof(fc.integer({ min: 1, max: 100 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valueOf((schema.items ?? {}) as Schema), { maxLength: 5 })
    case 'object':
      return objectOf(schema)
    default:
      return fc.oneof(fc.integer({ min: 1, max: 100 }), oddValue)
  }
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  const minLength = limit(schema.minLength, 0)
  if (schema.format === 'date') return fc.date(years).map((date) => date.toISOString().slice(0, 10))
  if (schema.format === 'date-time') return fc.date(years).map((date) => date.toISOString())
  if (schema.format === 'uuid') return fc.uuid()
  const maxLength = Math.max(minLength, Math.min(limit(schema.maxLength, 100), 300))
  if (schema.format === 'uri') return fc.oneof({ weight: 4, arbitrary: fc.webUrl() }, fc.string({ maxLength }))
  if (typeof schema.pattern === 'string') {
    return fc.oneof(
      { weight: 4, arbitrary: fc.stringMatching(new RegExp(schema.pattern)) },
      fc.string({ minLength, maxLength }),
    )
  }
  return fc.oneof(
    fc.string({ minLength, maxLength }),
    fc.string({ minLength, maxLength, unit: fc.constantFrom(...'abcABC019-_ ') }),
  )
}

const years = { min: new Date('1899-12-01T00:00:00Z'), max: new Date('3000-01-31T00:00:00Z'), noInvalidDate: true }

function objectOf(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  return fc.record(Object.fromEntries(properties.map(([name, inner]) => [name, valueOf(inner)])), {
    requiredKeys: required,
  }) as fc.Arbitrary<Record<string, unknown>>
}

const limit = (said: unknown, otherwise: number): number => (typeof said === 'number' ? Math.trunc(said) : otherwise)
