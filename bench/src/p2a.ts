import { routes } from '../../server/src/features/trade/order/order.routes'
import { type Bench, compared, type Line, notMeasured } from './kit/figure'
import { httpRate } from './kit/httpLoad'
import { noPgbench, pgbench, pgbenchVersion } from './kit/pgbench'
import { inRotation } from './kit/rounds'
import { startApi } from './kit/server'
import { pgbenchScript, statementsOf } from './kit/statements'

const CLIENTS = 8
const SECONDS = 3
const FILTER = 'method=alipay&paymentState=paid'

/**
 * The newest 20 of a filter, asked by somebody who sees a region: HTTP, session, sight, SQL, JSON; beside the very
 * statements of that call: as the page opens, as it goes on, and the total that is asked for beside it.
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
    const common = { id: 'P2a', beside: 'pgbench of the same SQL, prepared', unit: 'lists/s', goal: { atLeast: 0.4 } }
    return [
      compared({ ...common, what: `${what}, first rows` }, await measure(`/api/orders?${FILTER}`)),
      compared(
        { ...common, what: `${what}, next page` },
        await measure(`/api/orders?${FILTER}&cursor=${await cursorAt(100)}`),
      ),
      compared({ ...common, what: `${what}, its total` }, await measure(`/api/orders/count?${FILTER}`)),
    ]
  } finally {
    await server.stop()
  }
}
