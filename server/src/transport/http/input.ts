import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refuse } from '../../kernel/refuse'
import { fieldProblems, unstorable } from './fields'

type Fields = Record<string, unknown>

/**
 * Path, query and body as one value, judged by the endpoint's own schema. `language` may stand in query or body of any
 * call; everything else that the schema does not name is refused, and so is a path field said a second time.
 */
export function inputReader(endpoint: Endpoint): (request: FastifyRequest, language: Language) => unknown {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const isPost = endpoint.method === 'POST'
  const ownsLanguage = endpoint.input instanceof z.ZodObject && 'language' in endpoint.input.shape
  return (request, language) => {
    const query = request.query as Fields
    const said: Fields = { ...(isPost ? bodyOf(request.body) : query) }
    if (!ownsLanguage && typeof said.language === 'string') delete said.language
    const strays = [...inPath.filter((name) => name in said), ...(isPost ? Object.keys(query).filter(isOdd) : [])]
    if (strays.length > 0) return refuseStrays(strays, language)
    const input = inPath.length > 0 ? Object.assign(said, request.params) : said
    const odd = unstorable(input, language)
    if (odd.length > 0) return refuse('request.invalid', {}, odd)
    const parsed = endpoint.input.safeParse(input)
    if (!parsed.success) return refuse('request.invalid', {}, fieldProblems(parsed.error.issues, input, language))
    return parsed.data
  }
}

const isOdd = (name: string) => name !== 'language'

const refuseStrays = (keys: string[], language: Language): never =>
  refuse(
    'request.invalid',
    {},
    fieldProblems([{ code: 'unrecognized_keys', keys, path: [], message: '' }], {}, language),
  )

/** A call without a body says nothing; a body that is a list or a number is no call of ours. */
function bodyOf(body: unknown): Fields {
  if (body === undefined || body === null) return {}
  return typeof body === 'object' && !Array.isArray(body) ? (body as Fields) : refuse('request.malformed')
}
