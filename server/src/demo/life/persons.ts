import { randomUUID } from 'node:crypto'
import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import { actorOf } from '../../features/report/actor.store'
import { runCommand } from '../../kernel/command'
import type { Actor, Services, Tx } from '../../kernel/context'
import type { JobPayload } from '../../kernel/jobs'
import { must } from '../../kernel/must'
import { Refusal } from '../../kernel/refuse'
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
    try {
      const run =
        route?.kind === 'command' ? runCommand(route, ctx, asked, randomUUID()) : route?.run(ctx as never, asked)
      return (await run) as OutputOf<typeof endpoint>
    } catch (cause) {
      // A bare code would not say which of some thousand calls of the story was refused.
      if (!(cause instanceof Refusal)) throw cause
      const at = services.clock.now().toISOString()
      throw new Error(`the demo: ${account} is refused ${endpoint.name} at ${at}: ${cause.code}`, { cause })
    }
  }
}

async function findActor(tx: Tx, account: string): Promise<Actor> {
  const { id } = await tx.selectFrom('appUser').select('id').where('account', '=', account).executeTakeFirstOrThrow()
  return must(await actorOf(tx, id), `the account ${account}`)
}
