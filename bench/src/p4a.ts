import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { pushOf } from '../../server/src/features/wallboard/board.store'
import type { SaleNotice } from '../../server/src/kernel/announce'
import { type Boards, openBoards } from './kit/boards'
import { type Child, startChild } from './kit/child'
import { type Bench, compared, digits, type Line } from './kit/figure'
import { makeNetwork, type Slot } from './kit/network'
import { inRotation } from './kit/rounds'
import { network } from './kit/sales'

const BOARDS = 2_000
/** Sales of one push: as many as a batch of machines' messages announces. */
const SALES = 40

/** Forty sales to two thousand wallboards, beside a loop that sends the same texts to every socket. */
export async function p4a({ cluster, rounds }: Bench): Promise<Line[]> {
  const { url, pool, close } = await cluster.fresh('p4a')
  const slots = await makeNetwork(pool.db, network)
  await sql`insert into board_client (client_id, tab, seen_at)
    select 'wallboard-' || n, 0, now() from generate_series(1, ${BOARDS}::int) n`.execute(pool.db)
  await sql`insert into setting (key, value) values ('wallboard.open', 'true'::jsonb)`.execute(pool.db)
  const sides = [await startChild('p4a', ['ours', url]), await startChild('p4a', ['loop'])] as const
  try {
    const [ours, loop] = [await openSide(sides[0]), await openSide(sides[1])]
    const sale = salesOf(slots)
    const rateOf = (side: Side) => async () =>
      (BOARDS * SALES) / (await side.boards.seconds(BOARDS * SALES, () => side.child.tell(sale)))
    const measured = await inRotation({ ours: rateOf(ours), anchor: rateOf(loop) }, rounds)
    const what = `${SALES} sales to ${BOARDS.toLocaleString('en')} wallboards`
    return [
      compared({ id: 'P4a', what, beside: 'a plain ws loop', unit: 'deliveries/s', goal: { atLeast: 1.5 } }, measured),
      memoryLine(ours.kbASocket, loop.kbASocket),
    ]
  } finally {
    for (const side of sides) await side.stop()
    await close()
  }
}

type Side = { child: Child; boards: Boards; kbASocket: number }

async function openSide(child: Child): Promise<Side> {
  const before = Number(await child.ask({ bytes: true }))
  const boards = await openBoards(child.port, BOARDS, (n) => `/ws/message/wallboard-${n + 1}`)
  while (Number(await child.ask({ boards: true })) < BOARDS) await delay(50)
  const after = Number(await child.ask({ bytes: true }))
  return { child, boards, kbASocket: (after - before) / 1_000 / BOARDS }
}

function memoryLine(ours: number, loop: number): Line {
  const what = 'memory of a socket, after collecting garbage'
  const goal = { atMost: 10 }
  return {
    id: 'P4a',
    what,
    ours: `${digits(ours)} KB`,
    anchor: `a plain ws loop ${digits(loop)} KB`,
    value: ours,
    unit: 'KB',
    goal,
  }
}

function salesOf(slots: readonly Slot[]): { notices: SaleNotice[]; texts: string[] } {
  const at = new Date().toISOString()
  const figures = {
    todaytransactionsSum: 12_345.6,
    todaytransactionsOnLine: 12_345.6,
    allTransactionSum: 1_234_567.8,
    todaytransactionsNumberSum: 2_469,
    todaytransactionsNumberOnLine: 2_469,
    allTransactionsNumberSum: 246_913,
  }
  const sold = slots.slice(0, SALES)
  const notices = sold.map(({ machineId, productId }) => ({ machineId, productId, amountFen: 500, at }))
  const texts = sold.map(({ product }) => {
    const point = {
      productName: product,
      value: [115, 30, ''] as [number, number, string],
      place: '杭州 Point 1',
      amountFen: 500,
      at,
      isAbroad: false,
    }
    return JSON.stringify(pushOf(figures, point))
  })
  return { notices, texts }
}
