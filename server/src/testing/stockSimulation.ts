import { sql } from 'kysely'
import { ingest } from '../features/device/link/ingest'
import { bookFaults } from '../features/settlement/check.reads'
import { must } from '../kernel/must'
import { addSession } from './fixtures'
import { openRewind } from './rewind'
import { stockActs } from './stockSimulation.acts'
import { stockFaults } from './stockSimulation.faults'
import { openNetwork, STARTS, type StockNetwork } from './stockSimulation.network'
import { randomFrom } from './trade'

export type StockSimulation = {
  step: () => Promise<void>
  /** Everything that moves, levels, values and books say against each other. */
  check: () => Promise<string[]>
  tally: () => Promise<Record<string, number>>
}

const MINUTE_MS = 60_000
/** A session that nobody uses ends after half an hour. */
const SIGNED_IN_STEPS = 20
const HEARD_EACH = 6

/**
 * Buying, storing, driving, filling, selling, counting and writing off in random order, by people over HTTP, by
 * machines and by phones whose messages are lost, doubled and late. The network is made once and taken back for each
 * seed.
 */
export async function openStockSimulations() {
  const network = await openNetwork()
  const { world, db } = network
  const rewind = await openRewind(db)
  const begin = async (seed: number): Promise<StockSimulation> => {
    await rewind()
    world.setNow(STARTS)
    const random = randomFrom(seed)
    const tokens = new Map<number, string>()
    let minute = 0
    const signIn = async () => {
      for (const userId of network.people) tokens.set(userId, await addSession(db, userId, world.services.clock.now()))
    }
    const call = async (who: number, ...[endpoint, input]: Parameters<typeof network.call>) => {
      const { status, code, data } = await network.call(endpoint, input, { token: must(tokens.get(who), 'a session') })
      if (status >= 500) throw new Error(`${endpoint.name} answered ${status} ${String(code)}`)
      return { isDone: status === 200, data }
    }
    const acts = stockActs({ network, random, call })
    // The newest first, some of them a second time.
    const hear = () =>
      ingest(
        world.services,
        acts.said
          .splice(0)
          .toReversed()
          .map((say) => say()),
      )
    return {
      step: async () => {
        if (minute % SIGNED_IN_STEPS === 0) await signIn()
        minute += 1
        world.setNow(new Date(STARTS.getTime() + minute * MINUTE_MS))
        await acts.any()
        if (random(HEARD_EACH) === 0) await hear()
      },
      check: async () => {
        await hear()
        return [...(await stockFaults(db, network)), ...(await bookFaults(db))]
      },
      tally: () => tallyOf(network),
    }
  }
  return { begin, close: network.close }
}

async function tallyOf({ db, merchantId }: StockNetwork): Promise<Record<string, number>> {
  const moves = await sql<{ cause: string; count: number }>`select v.cause, count(*)::int as count
    from stock_move v where v.merchant_id = ${merchantId} group by 1`.execute(db)
  const steps = await sql<{ answer: string; count: number }>`select answer, count(*)::int as count from visit_step
    group by 1`.execute(db)
  return Object.fromEntries([
    ...moves.rows.map(({ cause, count }) => [cause, count] as const),
    ...steps.rows.map(({ answer, count }) => [`step ${answer}`, count] as const),
  ])
}
