import { getUserInfo } from '@aisle/contract/identity/session'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import fastify, { type FastifyInstance } from 'fastify'
import pg from 'pg'
import { openPool } from '../../server/src/db/pool'
import type { Actor } from '../../server/src/kernel/context'
import { query } from '../../server/src/kernel/route'
import { routes } from '../../server/src/main/features'
import { serveSurface } from '../../server/src/main/serve'
import { createApp } from '../../server/src/transport/http/app'
import { createMetrics, serveHealth } from '../../server/src/transport/http/health'
import { servicesOn } from './kit/sales'
import type { Statement } from './kit/statements'

/** One side of P5a, named by its first argument; the second is where its database is. */
const [side = '', url = '', statements = '[]'] = process.argv.slice(2)

const merchant = { id: 1, code: 'ROOT', name: 'Platform', isPlatform: true }
const answer: OutputOf<typeof getUserInfo> = {
  userid: '1',
  accountname: 'bench',
  displayName: 'Bench',
  kind: 'platform_admin',
  merchant,
  roles: ['Bench'],
  permissions: ['*'],
  roleChoices: [],
  activeRole: null,
  viewedRole: null,
  mustChangePassword: false,
  mustAcceptAgreement: false,
  language: 'zh',
}
const enveloped = { code: 'H0000', data: answer, msg: '', traceId: '0123456789abcdef' }

/** All of the server that a call passes, and nothing of the database: its user and its answer are constants. */
async function whole(): Promise<FastifyInstance> {
  const pool = openPool(url, 1, () => undefined)
  const services = servicesOn(pool)
  const actor: Actor = {
    userId: 1,
    account: answer.accountname,
    displayName: answer.displayName,
    kind: 'platform_admin',
    merchantId: 1,
    grants: answer.permissions,
    roles: answer.roles,
    roleChoices: [],
    activeRole: null,
    viewedRole: null,
    isViewingAs: false,
    switchedOff: [],
    language: 'zh',
    tokenHash: Buffer.alloc(32),
  }
  const app = createApp(services.log)
  const metrics = createMetrics(pool.raw)
  serveHealth(app, {}, { registry: metrics.registry, key: undefined })
  const constant = query(getUserInfo, async () => answer)
  await serveSurface(app, {
    services,
    bus: { hear: () => () => undefined },
    readSession: async () => actor,
    readKey: () => Promise.reject(new Error('no program calls here')),
    metrics,
    routes: routes.map((route) => (route.endpoint === getUserInfo ? constant : route)),
    sockets: [],
    webDir: '/nowhere',
  })
  return app
}

/** Fastify as its own guide begins. */
function bare(): FastifyInstance {
  const app = fastify()
  app.get(getUserInfo.path, async () => enveloped)
  return app
}

/** The same, with the statements that the real call sends. */
function bareWithStatements(): FastifyInstance {
  const pool = new pg.Pool({ connectionString: url, max: 12 })
  const asked = (JSON.parse(statements) as (Statement & { name?: string })[]).map((statement) => ({
    ...statement,
    values: statement.values.map((value) =>
      typeof value === 'string' && value.startsWith('\\x') ? Buffer.from(value.slice(2), 'hex') : value,
    ),
  }))
  const app = fastify()
  app.get(getUserInfo.path, async () => {
    for (const statement of asked) await pool.query(statement)
    return enveloped
  })
  return app
}

const app = side === 'whole' ? await whole() : side === 'bare' ? bare() : bareWithStatements()
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
process.send?.(typeof address === 'object' ? address?.port : 0)
