import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../kernel/context'
import type { RawRoute } from '../../kernel/rawRoute'
import { serveForms } from './form'
import { answerRaw, headOf } from './rawCall'

const MAX_BODY_BYTES = 256 * 1024

/** In a scope of their own: the rest of the server reads JSON alone. */
export function serveRaw(app: FastifyInstance, routes: readonly RawRoute[], services: Services): void {
  app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers()
    const options = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const
    scope.addContentTypeParser('*', options, (_request, body, parsed) => parsed(null, body))
    for (const { path, run, method = 'POST' } of routes.filter(({ form }) => !form)) {
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const body = typeof request.body === 'string' ? request.body : ''
        return answerRaw(reply, await run(services, { ...headOf(request), body }))
      }
      scope.route({ method, url: path, exposeHeadRoute: false, handler })
    }
    done()
  })
  serveForms(app, routes, services)
}
