import { seedDemo } from '../demo/seed'
import { firstAdminToken } from '../features/identity/public'
import type { Services } from '../kernel/context'
import type { Config } from './config'

export type Greeting = { accounts: readonly string[]; setupPath: string | null }

const demoAccounts = ['admin', 'merchant', 'operator', 'maintainer', 'pharmacist', 'doctor', 'finance']

/** On an empty database: the demo's network, or a one-time address to make the first administrator. */
export async function prepare(services: Services, { demo }: Config): Promise<Greeting> {
  if (demo) {
    await seedDemo(services, demo)
    return { accounts: demoAccounts, setupPath: null }
  }
  const token = await firstAdminToken(services)
  // Behind the '#', so that the token is in no log of the server or of a proxy.
  return { accounts: [], setupPath: token ? `/first-admin#${token}` : null }
}

/** The lines a person reads after `npm start`. */
export function greet({ accounts, setupPath }: Greeting, url: string, { demo }: Config): string[] {
  const lines = ['', `Aisle is ready: ${url}`]
  if (demo && accounts.length > 0) {
    lines.push(`Accounts: ${accounts.join(', ')}`)
    lines.push(`Password: ${demo.isPasswordOwn ? 'the one in DEMO_PASSWORD' : demo.password}`)
  }
  if (setupPath) lines.push(`Make the first administrator here (once): ${url}${setupPath}`)
  return [...lines, '']
}
