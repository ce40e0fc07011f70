/** What JSON Schema says of a value, as a type of TypeScript; of what it doesn't say, `unknown`. */
export type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  prefixItems?: Schema[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
}

export function typeOf(schema: Schema): string {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((each) => JSON.stringify(each)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map(typeOf))
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })))
  if (schema.type === 'array') return arrayOf(schema)
  if (schema.type === 'object') return objectOf(schema)
  return plain[schema.type ?? ''] ?? 'unknown'
}

const plain: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

function arrayOf({ items, prefixItems }: Schema): string {
  if (prefixItems) return `[${prefixItems.map(typeOf).join(', ')}]`
  const item = items ? typeOf(items) : 'unknown'
  return item.includes(' ') ? `Array<${item}>` : `${item}[]`
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  )
  if (fields.length > 0) return `{ ${fields.join('; ')} }`
  if (typeof additionalProperties !== 'object') return '{}'
  return `Record<string, ${typeOf(additionalProperties)}>`
}
