import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { endpoints } from '@aisle/contract/endpoints'
import { isOpenToKeys } from '@aisle/contract/events/peopleOnly'
import { groups, screens } from '@aisle/contract/screens'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filesIn } from '../../kernel/files/store'
import { createApp } from './app'
import { servePages } from './pages'

let folder: string
let app: FastifyInstance

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aisle-pages-'))
  const webDir = join(folder, 'dist')
  mkdirSync(join(webDir, 'assets'), { recursive: true })
  mkdirSync(join(folder, 'pictures'))
  writeFileSync(join(webDir, 'index.html'), '<script nonce="__NONCE__"></script><meta content="__NONCE__">')
  writeFileSync(join(webDir, 'assets/main-abc123.js'), 'console.log(1)')
  writeFileSync(join(webDir, 'assets/main-abc123.js.gz'), gzipSync('console.log(1)'))
  writeFileSync(join(webDir, 'favicon.svg'), '<svg/>')
  writeFileSync(join(folder, 'pictures/tea.svg'), '<svg><script>alert(1)</script></svg>')
  writeFileSync(join(folder, 'keys.json'), 'secret')
  app = createApp(pino({ level: 'silent' }))
  await servePages(app, { webDir, files: filesIn(folder) })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

test('every screen and every group is the page, with a nonce of its own', async () => {
  const paths = ['/', ...screens.map(({ path }) => path), ...Object.keys(groups).map((group) => `/${group}`)]
  const nonces = new Set<string>()
  for (const path of paths) {
    const answer = await get(path)
    expect([path, answer.statusCode]).toEqual([path, 200])
    const nonce = /script-src 'self' 'nonce-([\w-]{22})'/.exec(String(answer.headers['content-security-policy']))?.[1]
    expect(answer.payload).toBe(`<script nonce="${nonce}"></script><meta content="${nonce}">`)
    nonces.add(String(nonce))
  }
  expect(nonces.size).toBe(paths.length)
})

test('the page may run nothing but its own, stand in no frame and tell nobody where it was', async () => {
  const { headers } = await get('/login')
  expect(headers['content-security-policy']).toMatch(/object-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/)
  expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*'unsafe/)
  expect(headers['content-security-policy']).toMatch(/connect-src 'self';/)
  expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' })
  expect(headers['strict-transport-security']).toBeUndefined()
  const secure = await get('/login', { 'x-forwarded-proto': 'https' })
  expect(secure.headers['strict-transport-security']).toMatch(/max-age=\d+/)
})

test('hashed files are kept for good and sent compressed', async () => {
  const plain = await get('/assets/main-abc123.js')
  expect([plain.statusCode, plain.payload]).toEqual([200, 'console.log(1)'])
  expect(plain.headers['cache-control']).toMatch(/immutable/)
  const zipped = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip' })
  expect(zipped.headers['content-encoding']).toBe('gzip')
  expect((await get('/favicon.svg')).headers['cache-control']).not.toMatch(/immutable/)
})

test('an unknown path is JSON to programs and the page to people', async () => {
  for (const path of ['/api/nope', '/sram/nope', '/user/nope', '/service-order/x', '/ws/x', '/notify/x']) {
    const answer = await get(path, { accept: 'text/html' })
    expect([path, answer.statusCode, answer.json().code]).toEqual([path, 404, 'request.notFound'])
  }
  const page = await get('/no/such/screen', { accept: 'text/html' })
  expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  const post = await app.inject({ method: 'POST', url: '/login' })
  expect(post.json().code).toBe('request.notFound')
})

test('a picture may not run what hides in it, and no other file is a picture', async () => {
  const picture = await get('/pictures/tea.svg')
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  expect(picture.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
  for (const name of [
    '..%2Fkeys.json',
    '%2e%2e%2fkeys.json',
    'keys.json',
    '.hidden.png',
    'none.png',
    'tea.svg%00.png',
  ]) {
    expect([name, (await get(`/pictures/${name}`)).statusCode]).toEqual([name, 404])
  }
})

test('the OpenAPI document names every endpoint with its refusals', async () => {
  const document = (await get('/openapi.json')).json()
  for (const endpoint of endpoints) {
    const operation = document.paths[endpoint.path][endpoint.method.toLowerCase()]
    expect(operation.operationId).toBe(endpoint.name)
    const said = Object.values(operation.responses as Record<string, { description: string }>)
    const codes = said.flatMap(({ description }) => description.split(', '))
    expect(codes).toEqual(expect.arrayContaining([...endpoint.refusals, 'request.busy']))
    const own = isOpenToKeys(endpoint) ? undefined : [{ session: [] }]
    expect(operation.security).toEqual(endpoint.access === 'public' ? [] : own)
  }
})

test('the document for programs names what their keys may call, and nothing else', async () => {
  const document = (await get('/openapi-keys.json')).json()
  const operations = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>)
  const named = operations.flatMap((each) => Object.values(each)).map(({ operationId }) => operationId)
  const open = endpoints.filter((each) => each.access !== 'public' && isOpenToKeys(each))
  expect(new Set(named)).toEqual(new Set(open.map(({ name }) => name)))
  expect(document.security).toEqual([{ key: [] }])
  expect((await get('/docs/keys')).payload).toContain('/docs/start-keys.js')
})

test('the document can be read under its own policy: no script stands in the page itself', async () => {
  const page = await get('/docs')
  expect(page.headers['content-security-policy']).toMatch(/default-src 'self'/)
  expect(page.payload).not.toMatch(/<script>/)
  for (const file of ['start.js', 'swagger-ui-bundle.js', 'swagger-ui.css']) {
    expect([file, (await get(`/docs/${file}`)).statusCode]).toEqual([file, 200])
  }
})
