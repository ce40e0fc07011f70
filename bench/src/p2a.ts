import { routes } from '../../server/src/features/trade/order.routes'
import { type Bench, compared, type Line, notMeasured } from './figure'
import { httpRate } from './httpLoad'
import { noPgbench, pgbench, pgbenchVersion } from './pgbench'
import { inRotation } from './rounds'
import { startApi } from './server'
import { pgbenchScript, statementsOf } from './statements'

const CLIENTS = 8
const SECONDS = 3
const FILTER = '/api/orders?method=alipay&paymentState=paid'

/**
 * The newest 20 of a filter, asked by somebody who sees a region: HTTP, session, sight, SQL, JSON; beside the very
 * statements of that call. First with its total, as the page opens; then without, as it goes on.
 */
export async function p2a({ orders, rounds, rows }: Bench): Promise<Line[]> {
  const what = `order list, filtered, newest 20 of ${rows.toLocaleString('en')}`
  if (!pgbenchVersion()) return [notMeasured('P2a', what, noPgbench)]
  const seeded = await orders()
  const { url, region: token, cursorAt } = seeded
  const server = await startApi(seeded)
  const measure = async (path: string) => {
    const { script, variables } = pgbenchScript(await statementsOf(url, routes, path, token))
    const load = { clients: CLIENTS, seconds: SECONDS, variables }
    const call = { port: server.port, paths: [path], token, connections: CLIENTS, seconds: SECONDS }
    return inRotation({ anchor: () => pgbench(url, script, load), ours: () => httpRate(call) }, rounds)
  }
  try {
    const common = { id: 'P2a', beside: 'pgbench of the same SQL', unit: 'lists/s', goal: { atLeast: 0.25 } }
    return [
      compared({ ...common, what: `${what}, with its total` }, await measure(FILTER)),
      compared({ ...common, what: `${what}, next page` }, await measure(`${FILTER}&cursor=${await cursorAt(100)}`)),
    ]
  } finally {
    await server.stop()
  }
}
