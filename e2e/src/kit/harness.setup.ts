import { seedOnce, startSeeded } from './harness'

/**
 * One network for the whole run, and one server that tests share; they find it by `baseURL`. Who works on a test gives
 * a folder that was seeded (`AISLE_E2E_SEED`) or a server that runs (`AISLE_E2E_URL`), and waits for neither.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const discardSeed = process.env.AISLE_E2E_SEED ? () => undefined : await seedOnce()
  const given = process.env.AISLE_E2E_URL
  if (given) return async () => discardSeed()
  const server = await startSeeded()
  process.env.AISLE_E2E_URL = server.url
  return async () => {
    await server.stop()
    discardSeed()
  }
}
