import { endpoints } from '@aisle/contract/endpoints'
import { everybodysCalls, isOpenToKeys } from '@aisle/contract/events/peopleOnly'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { BUG, commonRefusals, refusalOf } from '@aisle/contract/kernel/refusal'
import { languages } from '@aisle/contract/kernel/text'
import { z } from 'zod'
import { envelopeSchema, type JsonSchema } from './answer-schema'

/**
 * The OpenAPI 3.1 document, printed from the contract: nothing in it is written a second time.
 * @param reader `keys`: only what keys of programs may call
 */
export function openApi(version: string, reader: 'all' | 'keys' = 'all'): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  const told = reader === 'all' ? endpoints : endpoints.filter((each) => each.access !== 'public' && isOpenToKeys(each))
  for (const endpoint of told) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Aisle', version, summary: 'Back office and live wallboard for a network of vending machines' },
    servers: [{ url: '/' }],
    security: reader === 'all' ? [{ session: [] }, { key: [] }] : [{ key: [] }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'session_key of onLogin' },
        key: { type: 'http', scheme: 'bearer', description: 'aisle_live_…, made under API keys' },
      },
      schemas: { Failure: failure },
    },
  }
}

const text = { type: 'string' }
const failure: JsonSchema = {
  type: 'object',
  required: ['code', 'msg', 'traceId'],
  properties: {
    code: text,
    msg: { type: 'string', description: 'In the language asked for; contains # when the server is at fault' },
    traceId: text,
    fields: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'reason', 'msg'],
        properties: { path: text, reason: text, msg: text, now: { description: 'Of a field changed meanwhile' } },
      },
    },
  },
}

function operation(endpoint: Endpoint): JsonSchema {
  const input = schemaOf(endpoint.input, 'input')
  const inPath = new Set([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const properties = Object.entries((input.properties ?? {}) as Record<string, JsonSchema>)
  const required = new Set(Array.isArray(input.required) ? input.required.map(String) : [])
  const said = properties.filter(([name]) => !inPath.has(name))
  const inQuery = endpoint.method === 'GET' ? said : []
  return {
    operationId: endpoint.name,
    tags: [endpoint.name.split('.', 1)[0]],
    summary: endpoint.summary,
    description: accessText(endpoint),
    ...securityOf(endpoint),
    parameters: [
      ...properties.filter(([name]) => inPath.has(name)).map(([name, schema]) => parameter('path', name, schema, true)),
      ...inQuery.map(([name, schema]) => parameter('query', name, schema, required.has(name))),
      ...(endpoint.method === 'GET' ? [parameter('query', 'language', languageSchema, false)] : []),
      ...(endpoint.writes ? [parameter('header', 'Idempotency-Key', keySchema, !endpoint.isKeyMade)] : []),
    ],
    ...(endpoint.method === 'POST' ? { requestBody: body(said, required) } : {}),
    responses: responses(endpoint),
  }
}

function securityOf(endpoint: Endpoint): JsonSchema {
  if (endpoint.access === 'public') return { security: [] }
  return isOpenToKeys(endpoint) ? {} : { security: [{ session: [] }] }
}

const languageSchema = { type: 'string', enum: [...languages], default: 'zh' }
const keySchema = { type: 'string', minLength: 8, maxLength: 128 }

const parameter = (where: string, name: string, schema: JsonSchema, required: boolean) => ({
  in: where,
  name,
  required,
  schema,
})

function body(said: [string, JsonSchema][], required: Set<string>): JsonSchema {
  const schema = {
    type: 'object',
    properties: { ...Object.fromEntries(said), language: languageSchema },
    required: said.map(([name]) => name).filter((name) => required.has(name)),
    additionalProperties: false,
  }
  return { required: true, content: { 'application/json': { schema } } }
}

function responses(endpoint: Endpoint): JsonSchema {
  const output = schemaOf(endpoint.output, 'output')
  const schema = endpoint.style === 'bare' ? output : envelopeSchema(output)
  const byStatus = new Map<number, string[]>([[500, [BUG]]])
  for (const code of [...endpoint.refusals, ...anyCall(endpoint)]) {
    const status = refusalOf(code)?.status ?? 500
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), code])])
  }
  const refused = [...byStatus].map(([status, codes]) => [status, refusedAs(codes)])
  return { 200: { description: 'Done', content: { 'application/json': { schema } } }, ...Object.fromEntries(refused) }
}

/** What the transport itself may answer to this call. */
function anyCall({ access, method, writes }: Endpoint): string[] {
  return commonRefusals.filter((code) => {
    if (code === 'S9999' || code === 'B1000') return access !== 'public'
    if (code === 'request.notPermitted') return access.includes('.')
    if (code === 'request.keyMissing' || code === 'request.keyReused') return writes
    if (code === 'request.tooLarge' || code === 'request.notJson') return method === 'POST'
    return code !== 'request.notFound' && code !== 'request.slowDown'
  })
}

const refusedAs = (codes: readonly string[]): JsonSchema => ({
  description: codes.join(', '),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
})

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

function accessText({ access, name }: Endpoint): string {
  if (access === 'public') return 'Needs no session.'
  if (access === 'session') return everybodysCalls.has(name) ? 'Any signed-in user, any key.' : 'Any signed-in user.'
  const needed = `Needs the permission \`${access}\``
  return isOpenToKeys({ access, name }) ? `${needed}, of a key the scope.` : `${needed}; for people alone.`
}
