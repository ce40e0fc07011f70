import { randomUUID } from 'node:crypto'
import { routes } from '../../server/src/features/catalog/product'
import { type Bench, compared, digits, type Line, notMeasured } from './kit/figure'
import { httpRate } from './kit/httpLoad'
import { noPgbench, pgbench, pgbenchVersion } from './kit/pgbench'
import { type Products, seedProducts } from './kit/products'
import { inRotation, timed } from './kit/rounds'
import { type Server, startApi } from './kit/server'
import { pgbenchScript, statementsOf } from './kit/statements'

const LINES = 5_000

/** Two characters, initials, and a code that nobody else has. */
const searches = { 'by two characters': '可乐', 'by initials': 'klgml', 'by a rare word': '123456ml' }

/** 200,000 products of one merchant, and of 2,000: the list, and the search beside a reader of every name. */
export async function p2g({ cluster, rounds }: Bench): Promise<Line[]> {
  if (!pgbenchVersion()) return [notMeasured('P2g', 'list of 200,000 products', noPgbench)]
  const lines: Line[] = []
  for (const merchants of [1, 2_000]) {
    const seeded = await seedProducts(cluster, merchants)
    const server = await startApi(seeded)
    try {
      lines.push(...(await listLines(seeded, server, rounds, merchants)))
      if (merchants === 1) lines.push(await importLine(seeded, server))
    } finally {
      await server.stop()
      await seeded.close()
    }
  }
  return lines
}

async function listLines(seeded: Products, server: Server, rounds: number, merchants: number): Promise<Line[]> {
  const { url, token, barcode } = seeded
  const of = `200,000 products of ${digits(merchants)}`
  const load = { clients: 4, seconds: 8 }
  const call = (path: string) => httpRate({ port: server.port, paths: [path], token, connections: 4, seconds: 8 })
  const same = async (what: string, path: string) => {
    const { script, variables } = pgbenchScript(await statementsOf(url, routes, path, token))
    const anchor = () => pgbench(url, script, { ...load, variables })
    const told = { id: 'P2g', what: `${of}, ${what}`, beside: 'pgbench of the same SQL', unit: 'lists/s' }
    return compared({ ...told, goal: { atLeast: 0.3 } }, await inRotation({ anchor, ours: () => call(path) }, rounds))
  }
  const searched = async (what: string, typed: string) => {
    const anchor = () => pgbench(url, reading(typed), load)
    const told = { id: 'P2g', what: `${of}, ${what}`, beside: 'pgbench, every name read', unit: 'lists/s' }
    const ours = () => call(`/api/products?q=${encodeURIComponent(typed)}`)
    return compared({ ...told, goal: { atLeast: 1 } }, await inRotation({ anchor, ours }, rounds))
  }
  const lines = [
    await same('first rows', '/api/products?sort=name'),
    await same('next page', `/api/products?sort=name&cursor=${await cursorOf(server, token)}`),
  ]
  for (const [what, typed] of Object.entries({ ...searches, 'by barcode': barcode })) {
    lines.push(await searched(what, typed))
  }
  return lines
}

async function cursorOf(server: Server, token: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/products?sort=name`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await answer.json()) as { data: { nextCursor: string } }
  return encodeURIComponent(data.nextCursor)
}

/** The least that finds it without keys. */
const reading = (typed: string) => `select p.id, p.name from product p where p.name ilike '%${typed}%'
  or p.code ilike '%${typed}%' or p.brand ilike '%${typed}%' or p.sound ilike '%${typed}%'
  or p.id in (select product_id from product_barcode where code = '${typed}') order by p.name, p.id limit 21;`

async function importLine({ token, pool }: Products, server: Server): Promise<Line> {
  const lines = Array.from({ length: LINES }, (_, n) => `NEW-${n},新品绿茶 ${n},1.50,3,,`)
  const file = Buffer.from(['code,name,Purchase price,销售价,Codes-barres,Category', ...lines].join('\r\n'))
  const seconds = await timed(async () => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/product-imports`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ merchantId: 101, file: file.toString('base64') }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  })
  // The same rows, copied by the database alone, with the same indexes to keep.
  const anchor = await timed(() =>
    pool.raw.query(`insert into product (merchant_id, code, name, sound, kind, cost_fen, price_fen)
      select merchant_id, 'COPY' || code, name, sound, kind, cost_fen, price_fen from product
      where code like 'NEW-%'`),
  )
  return {
    id: 'P2g',
    what: `a sheet of ${digits(LINES)} products taken`,
    ours: `${digits(seconds)} s`,
    anchor: `insert of the same rows ${digits(anchor)} s`,
    value: seconds,
    unit: 's',
    goal: { atMost: 15 },
  }
}
