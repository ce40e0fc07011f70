import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { c2a } from './c2a'
import { c5 } from './c5'
import { c9 } from './c9'
import { i3 } from './i3'
import { j1 } from './j1'
import { j2 } from './j2'
import { j3 } from './j3'
import { cluster } from './kit/database'
import { type Figure, lineText } from './kit/figure'
import { heap } from './kit/heap'
import { l1 } from './l1'
import { p1a } from './p1a'
import { type Orders, seedOrders } from './kit/orders'
import { p1b } from './p1b'
import { p1c } from './p1c'
import { p2a } from './p2a'
import { p2b } from './p2b'
import { p2c } from './p2c'
import { p2g } from './p2g'
import { p3a } from './p3a'
import { p4a } from './p4a'
import { p4b } from './p4b'
import { p5a } from './p5a'
import { p6a } from './p6a'
import { p6b } from './p6b'
import { p6d } from './p6d'
import { p7a } from './p7a'
import { p8a } from './p8a'
import { r6 } from './r6'
import { s7 } from './s7'
import { s9 } from './s9'

const figures: Record<string, Figure> = {
  P1a: p1a,
  P1b: p1b,
  P1c: p1c,
  P2a: p2a,
  P2b: p2b,
  P2c: p2c,
  P2g: p2g,
  P3a: p3a,
  P4a: p4a,
  P4b: p4b,
  P5a: p5a,
  P6a: p6a,
  P6b: p6b,
  P6d: p6d,
  P7a: p7a,
  P8a: p8a,
  S7: s7,
  S9: s9,
  C2a: c2a,
  C5: c5,
  C9: c9,
  I3: i3,
  J1: j1,
  J2: j2,
  J3: j3,
  L1: l1,
}
/** Take minutes to an hour: measured when they are named. */
const longFigures: Record<string, Figure> = { heap, R6: r6 }
const all = { ...figures, ...longFigures }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '60' },
  },
})
const unknown = positionals.filter((name) => !(name in all))
if (unknown.length > 0) {
  console.error(`Not a figure: ${unknown.join(', ')}. There are ${Object.keys(all).join(', ')}.`)
  process.exit(2)
}
const [rows, rounds, minutes] = [Number(values.rows), Number(values.rounds), Number(values.minutes)]
const postgres = cluster()
let seeding: Promise<Orders> | null = null
const load = () => loadavg()[0]?.toFixed(1)
try {
  console.log(`node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model}), load ${load()}`)
  console.log(`PostgreSQL: ${await postgres.settings()}`)
  console.log(`${rounds} rounds in rotation after a warm-up, ${rows.toLocaleString('en')} orders in the lists`)
  for (const [name, figure] of Object.entries(positionals.length > 0 ? all : figures)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const say = (text: string) => process.stderr.write(`${name}: ${text}\n`)
    const orders = () => {
      seeding ??= seedOrders(postgres, rows, say)
      return seeding
    }
    for (const line of await figure({ cluster: postgres, rounds, rows, minutes, orders, say }))
      console.log(lineText(line))
  }
  console.log(`load at the end ${load()}`)
} finally {
  await postgres.stop()
}
