/** How long a random model is played: a short form at every run, `RUNS` or `MINUTES` of it when somebody asks. */
const { RUNS, MINUTES, SEED } = process.env
const limitMs = MINUTES ? Number(MINUTES) * 60_000 : null

export const modelRuns = {
  numRuns: Number(RUNS ?? (limitMs ? 1e9 : 12)),
  seed: Number(SEED ?? 1),
  endOnFailure: true,
  ...(limitMs ? { interruptAfterTimeLimit: limitMs, markInterruptAsFailure: false } : {}),
}
/** Where machines are heard together: how many lives are played side by side, and how often. */
export const livesAtOnce = (RUNS ?? MINUTES) ? 96 : 3
export const runsOfMany = (RUNS ?? MINUTES) ? modelRuns : { ...modelRuns, numRuns: 4 }
/** A timer of more milliseconds than 31 bits hold ends at once. */
const MOST_MS = 2 ** 31 - 1
const allMs = Math.max(120_000, modelRuns.numRuns * livesAtOnce * 1_000)
export const MODEL_TIMEOUT_MS = Math.min(MOST_MS, limitMs ? limitMs + 120_000 : allMs)

let steps = 0
export const countStep = (): void => {
  steps += 1
}
/** For whoever asked for more than the short form. */
export const tellSteps = (): void => {
  if (RUNS ?? MINUTES) process.stdout.write(`${steps} steps, seed ${modelRuns.seed}\n`)
}
