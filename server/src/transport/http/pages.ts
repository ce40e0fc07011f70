import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groups, screens, sections } from '@aisle/contract/screens'
import helmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Files } from '../../kernel/files/store'
import { refusal } from '../../kernel/refuse'
import { isCallPath } from './app'
import { serveDocs } from './docs'

export type PagesOptions = {
  /** Where the built web application lies; its `index.html` has `__NONCE__` where a nonce belongs. */
  webDir: string
  files: Files
}

/** Printed once, on a first start without a demo; no menu leads there. */
const FIRST_ADMIN = '/first-admin'
/** Of who fills machines, on a phone; no menu leads there either. */
const FIELD = '/field'
const DAY_S = 24 * 3600
const YEAR_S = 365 * DAY_S
const PICTURE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.(svg|png|jpg)$/
const pictureTypes: Readonly<Record<string, string>> = { svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg' }

/** The web application: its files, and its one page at the address of every screen. */
export async function servePages(app: FastifyInstance, { webDir, files }: PagesOptions): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(helmet, {
      contentSecurityPolicy: false,
      referrerPolicy: { policy: 'no-referrer' },
      xFrameOptions: { action: 'deny' },
      // Said on TLS only, below: a browser that heard it over plain http by mistake could not come back.
      strictTransportSecurity: false,
      // Asked of a secure page only; over http in a LAN browsers warn about it on every load.
      originAgentCluster: false,
      crossOriginOpenerPolicy: false,
    })
    scope.addHook('onRequest', (request, reply, done) => {
      if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${YEAR_S}`)
      done()
    })
    await serveFiles(scope, webDir)
    servePictures(scope, files)
    await serveDocs(scope)
    const page = pageOf(webDir)
    const ways = [...Object.keys(groups).map((group) => `/${group}`), ...sections.keys()]
    const paths = new Set(['/', FIRST_ADMIN, FIELD, ...screens.map(({ path }) => path), ...ways])
    for (const path of paths) scope.get(path, (_, reply) => page(reply))
    scope.setNotFoundHandler((request, reply) => notFound(request, reply, page))
  })
}

/** A path that nobody serves: programs hear it in the envelope, people see the application say so. */
function notFound(request: FastifyRequest, reply: FastifyReply, page: (reply: FastifyReply) => FastifyReply) {
  const wantsPage = request.method === 'GET' && /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*')
  if (!wantsPage || isCallPath(request.url.split('?', 1)[0] ?? '')) throw refusal('request.notFound')
  return page(reply.code(404))
}

async function serveFiles(scope: FastifyInstance, webDir: string): Promise<void> {
  if (!existsSync(webDir)) return
  const shared = { index: false as const, preCompressed: true, decorateReply: false }
  await scope.register(fastifyStatic, {
    ...shared,
    decorateReply: true,
    root: join(webDir, 'assets'),
    prefix: '/assets/',
    maxAge: YEAR_S * 1000,
    immutable: true,
  })
  await scope.register(fastifyStatic, {
    ...shared,
    root: webDir,
    wildcard: false,
    globIgnore: ['**/index.html', 'assets/**', '**/*.br', '**/*.gz', '**/*.map'],
    maxAge: DAY_S * 1000,
  })
}

/** Pictures of products: an SVG among them may hold a script, so nothing in it is allowed to run or load. */
function servePictures(scope: FastifyInstance, files: Files): void {
  scope.get<{ Params: { name: string } }>('/pictures/:name', async (request, reply) => {
    const { name } = request.params
    const kind = PICTURE_NAME.exec(name)?.[1]
    const size = kind && (await files.sizeOf('pictures', name))
    if (size === undefined || !kind) throw refusal('request.notFound')
    const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
    reply.headers({ 'content-security-policy': policy, 'cross-origin-resource-policy': 'same-origin' })
    reply.headers({ 'cache-control': `public, max-age=${YEAR_S}, immutable`, etag: `"${name}-${size}"` })
    if (request.headers['if-none-match'] === `"${name}-${size}"`) return reply.code(304).send()
    reply.headers({ 'content-type': pictureTypes[kind], 'content-length': size })
    return reply.send(await files.read('pictures', name))
  })
}

function pageOf(webDir: string): (reply: FastifyReply) => FastifyReply {
  const file = join(webDir, 'index.html')
  if (!existsSync(file)) {
    return (reply) => reply.code(503).type('text/plain').send('The web application is not built: run npm run build.\n')
  }
  const parts = readFileSync(file, 'utf8').split('__NONCE__')
  return (reply) => {
    const nonce = randomBytes(16).toString('base64url')
    return reply
      .headers({ 'content-security-policy': policyWith(nonce), 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(parts.join(nonce))
  }
}

/** Style attributes are allowed: charts and tables place things by them, and they can't run or fetch anything. */
const policyWith = (nonce: string): string =>
  [
    "default-src 'self'",
    // WebAssembly may be compiled, for the reader of codes; text is never run as script.
    `script-src 'self' 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    // WebSockets of this host count as 'self'; naming their schemes would let every host in.
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
