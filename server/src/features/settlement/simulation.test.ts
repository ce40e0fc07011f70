import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { openSimulations, type Simulations } from '../../testing/moneySimulation'

/** How to run the long form: docs/BENCH.md. */
const seeds = Number(process.env.SEEDS ?? 2)
const steps = Number(process.env.STEPS ?? 80)
const first = Number(process.env.SEED ?? 1)
/** A check reads everything that there is. A seed in which one found something is played again with one a step. */
const CHECKED = process.env.SEEDS ? 100 : 40

let simulations: Simulations
beforeAll(async () => {
  simulations = await openSimulations()
})
afterAll(() => simulations.close())

test.each(Array.from({ length: seeds }, (_, i) => first + i))(
  'money stays true through random days with faults, seed %i',
  { timeout: 60_000 + steps * 2_000 },
  async (seed) => {
    // At once: a long run that is ended before its end would say nothing of it.
    onTestFailed(({ task }) => {
      const fault = task.result?.errors?.at(-1)
      if (process.env.SEEDS) process.stdout.write(`seed ${seed}: ${fault?.message}\n${fault?.stack}\n`)
    })
    const { step, faults, happened } = await play(seed, CHECKED)
    if (faults.length > 0) expect({ seed, again: await play(seed, 1), step, faults }).toMatchObject({ faults: [] })
    if (process.env.SEEDS) process.stdout.write(`seed ${seed}: ${JSON.stringify(happened)}\n`)
    expect(happened.paid).toBeGreaterThan(0)
  },
)

/** @returns the first step whose check found something, or the last */
async function play(seed: number, every: number) {
  const simulation = await simulations.begin(seed)
  for (let step = 1; step <= steps; step += 1) {
    await simulation.step()
    const faults = step % every === 0 || step === steps ? await simulation.check() : []
    if (faults.length > 0 || step === steps) return { step, faults, happened: await simulation.tally() }
  }
  throw new RangeError('a simulation has a step at least')
}
