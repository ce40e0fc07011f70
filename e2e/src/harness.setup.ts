import { startServer } from './harness'

/** One server for the whole run; tests find it by `baseURL`. */
export default async function setup(): Promise<() => Promise<void>> {
  const given = process.env.AISLE_E2E_URL
  if (given) return async () => undefined
  const server = await startServer()
  process.env.AISLE_E2E_URL = server.url
  return server.stop
}
