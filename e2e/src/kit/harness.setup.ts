import { seedOnce, startSeeded } from './harness'

/** One network for the whole run, and one server that tests share; they find it by `baseURL`. */
export default async function setup(): Promise<() => Promise<void>> {
  const discardSeed = await seedOnce()
  const given = process.env.AISLE_E2E_URL
  if (given) return async () => discardSeed()
  const server = await startSeeded()
  process.env.AISLE_E2E_URL = server.url
  return async () => {
    await server.stop()
    discardSeed()
  }
}
