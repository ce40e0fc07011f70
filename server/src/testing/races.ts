/** How many rounds a race is run for; the long form asks for thousands (docs/FAULTS.md). */
const ROUNDS = Number(process.env.RACES ?? 1)
const AT_ONCE = 64

/** What a test with races may take. */
export const racing = { timeout: 60_000 + ROUNDS * 10_000 }

/** @param round of so many at once about something that is made for it; it judges itself who has it in the end */
export async function races(what: string, round: (nth: number) => Promise<void>): Promise<void> {
  for (let nth = 1; nth <= ROUNDS; nth += 1) {
    await round(nth)
    // A run of hours that is stopped has shown what it came to.
    if (nth % 50 === 0) process.stdout.write(`${what}: ${nth} rounds, ${nth * AT_ONCE} calls\n`)
  }
}

/** So many at once. */
export const together = <T>(call: (nth: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, nth) => call(nth)))
