import { z } from 'zod'

export type JsonSchema = { [key: string]: unknown }

/**
 * The JSON schema that fast-json-stringify writes an answer by, so that fields the contract does not list never leave
 * the server. It serialises and does not judge, so formats and limits are dropped: with them it would run a validator
 * on every nullable date.
 */
export function answerSchema(output: z.ZodType): JsonSchema {
  return shape(z.toJSONSchema(output, { target: 'draft-7', io: 'output', unrepresentable: 'any' }), false)
}

/** The envelope around `data` (interface rules: code, data, msg, traceId). */
export function envelopeSchema(data: JsonSchema): JsonSchema {
  const text = { type: 'string' }
  return {
    type: 'object',
    properties: { code: text, data, msg: text, traceId: text },
    required: ['code', 'data', 'msg', 'traceId'],
  }
}

/** @param isChoice inside a union the constants stay: they tell its branches apart */
function shape(schema: unknown, isChoice: boolean): JsonSchema {
  if (!isSchema(schema)) return {}
  if (Array.isArray(schema.anyOf)) return union(schema.anyOf)
  const kept: JsonSchema = {}
  for (const name of ['type', 'required', 'additionalItems'] as const) {
    if (schema[name] !== undefined) kept[name] = schema[name]
  }
  if (isChoice && 'const' in schema) kept.const = schema.const
  if (isChoice && 'enum' in schema) kept.enum = schema.enum
  if (isSchema(schema.properties)) kept.properties = mapped(schema.properties, isChoice)
  if (Array.isArray(schema.items)) kept.items = schema.items.map((item) => shape(item, isChoice))
  else if (isSchema(schema.items)) kept.items = shape(schema.items, isChoice)
  if (isSchema(schema.additionalProperties)) kept.additionalProperties = shape(schema.additionalProperties, isChoice)
  return kept
}

function union(branches: readonly unknown[]): JsonSchema {
  const others = branches.filter((branch) => !isSchema(branch) || branch.type !== 'null')
  const isNullable = others.length < branches.length
  if (others.length > 1) return { anyOf: branches.map((branch) => shape(branch, true)) }
  const only = shape(others[0], false)
  if (!isNullable) return only
  return typeof only.type === 'string' && only.type !== 'object' && only.type !== 'array'
    ? { ...only, type: [only.type, 'null'] }
    : { ...only, nullable: true }
}

const mapped = (properties: JsonSchema, isChoice: boolean): JsonSchema =>
  Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, shape(inner, isChoice)]))

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
