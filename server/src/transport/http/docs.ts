import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { openApi } from './openapi'

const require = createRequire(import.meta.url)

const page = `<!doctype html>
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
<script src="/docs/start.js"></script>
</body>
</html>
`
const start = `
SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, defaultModelsExpandDepth: -1 })
`
/** The reader inserts style elements of its own; scripts are ours alone. */
const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

/** `/openapi.json`, and `/docs` to read it in. */
export async function serveDocs(scope: FastifyInstance): Promise<void> {
  let document: string | undefined
  scope.get('/openapi.json', (_, reply) => {
    // Printed when it is first asked for: it takes a second that machines would wait after a restart.
    document ??= JSON.stringify(openApi('0.1.0'))
    return reply.type('application/json').send(document)
  })
  scope.get('/docs', (_, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page),
  )
  scope.get('/docs/start.js', (_, reply) => reply.type('text/javascript').send(start))
  await scope.register(fastifyStatic, {
    root: join(dirname(require.resolve('@fastify/swagger-ui')), 'static'),
    prefix: '/docs/',
    wildcard: false,
    index: false,
    decorateReply: false,
    globIgnore: ['index.html', 'swagger-ui.js', '*.json', 'oauth2*', '*standalone*'],
  })
}
