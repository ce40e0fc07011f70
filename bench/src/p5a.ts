import { getUserInfo } from '@aisle/contract/identity/session'
import { routes } from '../../server/src/features/identity/identity.routes'
import { addSession, addUser } from '../../server/src/testing/fixtures'
import { type Child, startChild } from './kit/child'
import { type Bench, compared, type Line } from './kit/figure'
import { httpRate } from './kit/httpLoad'
import { makeNetwork } from './kit/network'
import { inRotation, type Measured } from './kit/rounds'
import { network } from './kit/sales'
import { startApi } from './kit/server'
import { statementsOf } from './kit/statements'

const CONNECTIONS = 16
const SECONDS = 3

/**
 * No endpoint does without the database: each reads its session there. So the whole server is measured with a user and
 * an answer that stand in its memory, and then as it is, beside Fastify with the same statements.
 */
export async function p5a({ cluster, rounds }: Bench): Promise<Line[]> {
  const database = await cluster.fresh('p5a')
  await makeNetwork(database.pool.db, network)
  const user = await addUser(database.pool.db, { merchantId: 1, kind: 'platform_admin', grants: ['*'] })
  const token = await addSession(database.pool.db, user.id, new Date())
  const statements = (await statementsOf(database.url, routes, getUserInfo.path, token)).map(asJson)
  const common = { id: 'P5a', unit: 'calls/s' }
  const constant = await besides(await startChild('p5a', ['whole', database.url]), await startChild('p5a', ['bare']), {
    token,
    rounds,
  })
  const whole = await besides(
    await startApi(database),
    await startChild('p5a', ['statements', database.url, JSON.stringify(statements)]),
    { token, rounds },
  )
  await database.close()
  return [
    compared(
      { ...common, what: 'a constant call through the whole server', beside: 'bare Fastify', goal: { atLeast: 0.7 } },
      constant,
    ),
    compared(
      { ...common, what: 'the real call with its session', beside: 'Fastify with the same SQL', goal: null },
      whole,
    ),
  ]
}

type Asked = { token: string; rounds: number }

async function besides(ours: Pick<Child, 'port' | 'stop'>, anchor: Child, { token, rounds }: Asked): Promise<Measured> {
  const rate =
    ({ port }: { port: number }) =>
    () =>
      httpRate({ port, paths: [getUserInfo.path], token, connections: CONNECTIONS, seconds: SECONDS })
  try {
    return await inRotation({ ours: rate(ours), anchor: rate(anchor) }, rounds)
  } finally {
    await ours.stop()
    await anchor.stop()
  }
}

/** Buffers go to the child as PostgreSQL writes them. */
const asJson = <T extends { values: unknown[] }>(statement: T) => ({
  ...statement,
  values: statement.values.map((value) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value)),
})
