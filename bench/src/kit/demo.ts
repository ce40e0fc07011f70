import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { throwAwayFolder } from '../../../server/src/db/testing.places'
import { answering, end, freePort, repository } from './server'

/** A quarter's trade is made first, on a machine that may be busy. */
const SEEDING_WAIT_MS = 900_000
export const demoPassword = 'aisle-on-a-bench'

export type Demo = { address: string; dataDir: string; stop: () => Promise<void> }

/** The built server with its demo network, database, broker and simulated machines, in a folder that is thrown away. */
export async function startDemo(env: Record<string, string>): Promise<Demo> {
  const entry = join(repository, 'server/dist/main.js')
  if (!existsSync(entry)) throw new Error('The server is not built: run npm run build.')
  const dataDir = throwAwayFolder('bench')
  const [port, mqttPort] = [await freePort(), await freePort()]
  const own = { DEMO: '1', DEMO_PASSWORD: demoPassword, DATA_DIR: dataDir, HOST: '127.0.0.1' }
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, ...own, PORT: String(port), MQTT_PORT: String(mqttPort), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async () => {
    await end(child)
    rmSync(dataDir, { recursive: true, force: true })
  }
  const address = `http://127.0.0.1:${port}`
  try {
    await answering(`${address}/readyz`, child, 200, SEEDING_WAIT_MS)
  } catch (cause) {
    await stop()
    throw cause
  }
  return { address, dataDir, stop }
}
