import { sql } from 'kysely'
import { users } from '../demo/data/people'
import { seedDemo } from '../demo/seed'
import { accountsWithShipped, enforceDemoPassword } from '../features/identity/public'
import { firstAdminToken } from '../features/merchant/public'
import type { Services } from '../kernel/context'
import { type Config, isLoopback, StartError } from './config'

const demoAccounts = users.map(({ account }) => account)

export type Greeting = {
  accounts: readonly string[]
  /** Demo accounts that sign in with something else than what this start named. */
  others: readonly string[]
  setupPath: string | null
}

/** On an empty database: the demo's network, or a one-time address to make the first administrator. */
export async function prepare(services: Services, config: Config): Promise<Greeting> {
  const { demo } = config
  // All at once came rows that nothing has counted: without statistics the first pages would be planned blindly.
  if (demo && (await seedDemo(services, demo))) await sql`analyze`.execute(services.db)
  // Nobody signs in at a gateway or a worker: whose password is in force is the business of what people reach.
  if (config.role !== 'all' && config.role !== 'api') return { accounts: [], others: [], setupPath: null }
  const password = demo?.password ?? config.demoPassword
  const holders = password ? await enforceDemoPassword(services, password) : []
  await refuseShipped(services, config)
  if (demo) {
    const accounts = demoAccounts.filter((account) => holders.includes(account))
    return { accounts, others: demoAccounts.filter((account) => !accounts.includes(account)), setupPath: null }
  }
  const token = await firstAdminToken(services)
  // Behind the '#', so that the token is in no log of the server or of a proxy.
  return { accounts: [], others: [], setupPath: token ? `/first-admin#${token}` : null }
}

/**
 * A password that everybody knows is for a demo that this computer alone reaches. Without the demo it is refused on
 * loopback too: a server for real is usually reached through a proxy beside it.
 */
async function refuseShipped(services: Services, { demo, host }: Config): Promise<void> {
  if (demo && isLoopback(host)) return
  const accounts = await accountsWithShipped(services)
  if (accounts.length === 0) return
  throw new StartError(
    `These accounts have a password that comes with the product and that everybody knows: ${accounts.join(', ')}. ` +
      'Set DEMO_PASSWORD to one of your own, and all of them get it; or start with an empty DATA_DIR and database.',
  )
}

/** The lines a person reads after `npm start`. */
export function greet({ accounts, others, setupPath }: Greeting, url: string, { demo }: Config): string[] {
  const lines = ['', `Aisle is ready: ${url}`]
  if (demo && accounts.length > 0) {
    lines.push(`Accounts: ${accounts.join(', ')}`)
    lines.push(`Password: ${demo.isPasswordOwn ? 'the one in DEMO_PASSWORD' : demo.password}`)
  }
  if (others.length > 0) lines.push(`With the password they were given before: ${others.join(', ')}`)
  if (setupPath) lines.push(`Make the first administrator here (once): ${url}${setupPath}`)
  return [...lines, '']
}
