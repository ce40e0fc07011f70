import { type Bench, compared, type Line } from './kit/figure'
import { httpRate } from './kit/httpLoad'
import { inRotation } from './kit/rounds'
import { startApi } from './kit/server'

const DEEP = 2_000_000
const PAGES = 40
const SECONDS = 3

/** Pages far down the list, asked by somebody who sees all of it, beside its first ones. */
export async function p2b({ orders, rounds, rows, say }: Bench): Promise<Line[]> {
  const seeded = await orders()
  const { platform: token, cursorAt } = seeded
  const depth = Math.min(DEEP, Math.floor(rows * 0.9))
  say('looking up where deep pages begin')
  const first = await pagesFrom(cursorAt, 20)
  const deep = await pagesFrom(cursorAt, depth)
  const server = await startApi(seeded)
  const msOf = async (paths: readonly string[]) =>
    1000 / (await httpRate({ port: server.port, paths, token, connections: 1, seconds: SECONDS }))
  try {
    const measured = await inRotation({ anchor: () => msOf(first), ours: () => msOf(deep) }, rounds)
    const what = `a page ${depth.toLocaleString('en')} rows deep`
    return [compared({ id: 'P2b', what, beside: 'the first pages', unit: 'ms', goal: { atMost: 1.2 } }, measured)]
  } finally {
    await server.stop()
  }
}

async function pagesFrom(cursorAt: (depth: number) => Promise<string>, depth: number): Promise<string[]> {
  const paths: string[] = []
  while (paths.length < PAGES) paths.push(`/api/orders?cursor=${await cursorAt(depth + 20 * paths.length)}`)
  return paths
}
