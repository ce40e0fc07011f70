import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { openApi } from './openapi'

const require = createRequire(import.meta.url)

const pageOf = (start: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Aisle API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/${start}"></script>
</body>
</html>
`
const startWith = (document: string) => `
SwaggerUIBundle({ url: '${document}', dom_id: '#docs', deepLinking: true, defaultModelsExpandDepth: -1 })
`
/** The reader inserts style elements of its own; scripts are ours alone. */
const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

/** `/openapi.json` and `/docs` to read it in; `/openapi-keys.json` and `/docs/keys` of what keys may call. */
export async function serveDocs(scope: FastifyInstance): Promise<void> {
  serveDocument(scope, 'all', { document: '/openapi.json', page: '/docs', start: 'start.js' })
  serveDocument(scope, 'keys', { document: '/openapi-keys.json', page: '/docs/keys', start: 'start-keys.js' })
  await scope.register(fastifyStatic, {
    root: join(dirname(require.resolve('@fastify/swagger-ui')), 'static'),
    prefix: '/docs/',
    wildcard: false,
    index: false,
    decorateReply: false,
    globIgnore: ['index.html', 'swagger-ui.js', '*.json', 'oauth2*', '*standalone*'],
  })
}

type Places = { document: string; page: string; start: string }

function serveDocument(scope: FastifyInstance, reader: 'all' | 'keys', { document, page, start }: Places): void {
  let printed: string | undefined
  scope.get(document, (_, reply) => {
    // Printed when it is first asked for: it takes a second that machines would wait after a restart.
    printed ??= JSON.stringify(openApi('0.1.0', reader))
    return reply.type('application/json').send(printed)
  })
  scope.get(page, (_, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(pageOf(start)),
  )
  scope.get(`/docs/${start}`, (_, reply) => reply.type('text/javascript').send(startWith(document)))
}
