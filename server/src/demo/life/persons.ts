import { randomUUID } from 'node:crypto'
import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { runCommand } from '../../kernel/command'
import type { Actor, Services, Tx } from '../../kernel/context'
import type { JobPayload } from '../../kernel/jobs'
import { jobs, routes } from '../../main/features'

/** What somebody does or looks at, by the same call that their browser would send, when the story has come to it. */
export type As = <E extends Endpoint>(account: string, endpoint: E, input: CallOf<E>) => Promise<OutputOf<E>>

/** What the product does by itself when its time has come. */
export type Run = (job: string, payload?: JobPayload) => Promise<void>

export const runIn =
  (services: Services): Run =>
  async (name, payload = {}) => {
    const job = jobs.find((each) => each.name === name)
    if (!job) throw new RangeError(`there is no job ${name}`)
    await job.run(services, payload)
  }

export function personsIn(services: Services, tx: Tx): As {
  const known = new Map<string, Promise<Actor>>()
  const call = {
    services,
    db: tx,
    now: services.clock.now,
    language: 'zh' as const,
    traceId: 'demo',
    ip: '203.0.113.7',
    agent: 'Mozilla/5.0',
    origin: '',
    deviceCookie: null,
    keepDevice: () => undefined,
  }
  return async (account, endpoint, input) => {
    const found = known.get(account) ?? findActor(tx, account)
    known.set(account, found)
    const ctx = { ...call, actor: await found }
    const asked = endpoint.input.parse(input)
    const route = routes.find((each) => each.endpoint.name === endpoint.name)
    const run =
      route?.kind === 'command' ? runCommand(route, ctx, asked, randomUUID()) : route?.run(ctx as never, asked)
    return (await run) as OutputOf<typeof endpoint>
  }
}

async function findActor(tx: Tx, account: string): Promise<Actor> {
  const found = await sql<Pick<Actor, 'userId' | 'account' | 'displayName' | 'kind' | 'merchantId' | 'grants'>>`
    select u.id as "userId", u.account, u.display_name as "displayName", u.kind, u.merchant_id as "merchantId",
      array(select p.permission from user_role g join role_permission p using (role_id)
        where g.user_id = u.id) as grants
    from app_user u where u.account = ${account}`.execute(tx)
  const [user] = found.rows
  if (!user) throw new RangeError(`the demo has no account ${account}`)
  const roles = { roles: [], roleChoices: [], activeRole: null, viewedRole: null, isViewingAs: false, switchedOff: [] }
  return { ...user, ...roles, language: 'zh', tokenHash: Buffer.alloc(32) }
}
