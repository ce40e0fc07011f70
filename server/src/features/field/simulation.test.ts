import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStockSimulations } from '../../testing/stockSimulation'

/** How to run the long form: docs/BENCH.md; `SEED=…` plays a failure again. */
const seeds = Number(process.env.SEEDS ?? 1)
const steps = Number(process.env.STEPS ?? 150)
const first = Number(process.env.SEED ?? 1)
/** A check reads everything that there is. */
const CHECKED = Number(process.env.CHECKED ?? 75)

let simulations: Awaited<ReturnType<typeof openStockSimulations>>
beforeAll(async () => {
  simulations = await openStockSimulations()
})
afterAll(() => simulations.close())

test.each(Array.from({ length: seeds }, (_, i) => first + i))(
  'bought is what lies somewhere, was sold, went back or is scrap, to the piece and the fen, seed %i',
  { timeout: 60_000 + steps * 2_000 },
  async (seed) => {
    const simulation = await simulations.begin(seed)
    for (let step = 1; step <= steps; step += 1) {
      await simulation.step()
      if (step % CHECKED > 0 && step < steps) continue
      expect({ seed, step, faults: await simulation.check() }).toEqual({ seed, step, faults: [] })
    }
    const happened = await simulation.tally()
    if (process.env.SEEDS) process.stdout.write(`seed ${seed}: ${JSON.stringify(happened)}\n`)
    expect(Math.min(happened.purchase ?? 0, happened.fill ?? 0, happened.vend ?? 0)).toBeGreaterThan(0)
  },
)
