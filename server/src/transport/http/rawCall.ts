import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawAnswer, RawHead } from '../../kernel/rawRoute'

export const headOf = (request: FastifyRequest): RawHead => ({
  params: request.params as Record<string, string>,
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join() : (value ?? '')]),
  ),
  url: request.url,
  method: request.method,
  ip: request.ip,
})

/** As it stands: Alipay counts every letter. */
export const answerRaw = (reply: FastifyReply, { status, type, body, headers = {} }: RawAnswer): FastifyReply =>
  reply.code(status).headers(headers).type(type).serializer(String).send(body)
