import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../kernel/context'
import type { RawForm, RawRoute } from '../../kernel/rawRoute'
import { answerRaw, headOf } from './rawCall'

const forms = ['multipart/form-data', 'application/x-www-form-urlencoded']
type FormRoute = RawRoute & { form: RawForm }

/** Forms that a browser sends by itself. Who may not send is told so before the body is read. */
export function serveForms(app: FastifyInstance, routes: readonly RawRoute[], services: Services): void {
  for (const route of routes) if (route.form) serveForm(app, { ...route, form: route.form }, services)
}

function serveForm(app: FastifyInstance, { path, run, form }: FormRoute, services: Services): void {
  app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers()
    const options = { parseAs: 'buffer', bodyLimit: form.mostBytes } as const
    scope.addContentTypeParser(forms, options, (_request, body, parsed) => parsed(null, body))
    const unread = async (request: FastifyRequest, reply: FastifyReply, why: 'tooLarge' | 'noForm') =>
      // Nobody waits for the rest of what is not read.
      answerRaw(reply.header('connection', 'close'), await form.unread(services, headOf(request), why))
    scope.setErrorHandler(async (error, request, reply) => {
      const { code } = error as { code?: string }
      if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return unread(request, reply, 'tooLarge')
      if (code?.startsWith('FST_ERR_CTP_')) return unread(request, reply, 'noForm')
      throw error
    })
    scope.route({
      method: 'POST',
      url: path,
      bodyLimit: form.mostBytes,
      onRequest: async (request, reply) => {
        const refused = await form.admit(services, headOf(request))
        return refused ? answerRaw(reply.header('connection', 'close'), refused) : undefined
      },
      handler: async (request, reply) => {
        const read = await formIn(request)
        if (!read) return unread(request, reply, 'noForm')
        return answerRaw(reply, await run(services, { ...headOf(request), body: '', form: read }))
      },
    })
    done()
  })
}

/** By what reads the bodies of answers in every browser. */
async function formIn({ body, headers }: FastifyRequest): Promise<FormData | null> {
  if (!Buffer.isBuffer(body)) return null
  const type = headers['content-type'] ?? ''
  const bytes = new Uint8Array(body)
  return new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => null)
}
