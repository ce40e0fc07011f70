import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../kernel/context'
import type { RawRoute } from '../../kernel/rawRoute'

const MAX_BODY_BYTES = 256 * 1024

/** In a scope of their own: the rest of the server reads JSON alone. */
export function serveRaw(app: FastifyInstance, routes: readonly RawRoute[], services: Services): void {
  app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers()
    const options = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const
    scope.addContentTypeParser('*', options, (_request, body, parsed) => parsed(null, body))
    for (const { path, run, method = 'POST' } of routes) {
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join() : (value ?? ''),
          ]),
        )
        const body = typeof request.body === 'string' ? request.body : ''
        const answer = await run(services, {
          params: request.params as Record<string, string>,
          headers,
          body,
          url: request.url,
          method,
          ip: request.ip,
        })
        // As it stands: Alipay counts every letter.
        return reply.code(answer.status).type(answer.type).serializer(String).send(answer.body)
      }
      scope.route({ method, url: path, exposeHeadRoute: false, handler })
    }
    done()
  })
}
