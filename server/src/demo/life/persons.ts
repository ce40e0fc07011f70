import { randomUUID } from 'node:crypto'
import type { Endpoint, InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { runCommand } from '../../kernel/command'
import type { Actor } from '../../kernel/context'
import { routes } from '../../main/features'
import { users } from '../data/people'
import { idOf, type Ids, permissionsOf } from '../people/people'
import type { Past } from './within'

/** What somebody does, by the same command that their browser would send; at the time that the story has come to. */
export type Person = <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<OutputOf<E>>

type Known = { users: Ids; merchants: Ids }

export const personsOf = (past: Past, ids: Known) => ({
  finance: personOf(past, 'finance', ids),
  merchant: personOf(past, 'merchant', ids),
})

function personOf(past: Past, account: string, ids: Known): Person {
  const actor = actorOf(account, ids)
  const { services, tx } = past
  const call = {
    services,
    db: tx,
    now: services.clock.now,
    language: actor.language,
    traceId: 'demo',
    ip: '203.0.113.7',
    agent: 'Mozilla/5.0',
    origin: '',
    deviceCookie: null,
    keepDevice: () => undefined,
  }
  return async (endpoint, input) => {
    const route = routes.find((each) => each.endpoint.name === endpoint.name)
    if (route?.kind !== 'command') throw new RangeError(`${endpoint.name} is no command`)
    return (await runCommand(route, { ...call, actor }, input, randomUUID())) as OutputOf<typeof endpoint>
  }
}

function actorOf(account: string, ids: Known): Actor {
  const user = users.find((each) => each.account === account)
  if (!user) throw new RangeError(`the demo has no account ${account}`)
  return {
    userId: idOf(ids.users, account),
    account,
    displayName: user.displayName,
    kind: user.kind,
    merchantId: idOf(ids.merchants, user.merchant),
    grants: permissionsOf(user.role),
    roles: [user.role.name],
    roleChoices: [],
    activeRole: null,
    viewedRole: null,
    isViewingAs: false,
    switchedOff: [],
    language: 'zh',
    tokenHash: Buffer.alloc(32),
  }
}
