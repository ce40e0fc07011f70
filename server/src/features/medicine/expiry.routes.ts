import { listExpiring, lockExpiring, summariseExpiry } from '@aisle/contract/medicine/expiry'
import { command, listOf, query, type Route } from '../../kernel/route'
import * as commands from './expiry.commands'
import * as reads from './expiry.reads'

export const routes: Route[] = [
  ...listOf(listExpiring, reads.listExpiringIn),
  query(summariseExpiry, (ctx) => reads.summary(ctx)),
  command(lockExpiring, commands.lock),
]
