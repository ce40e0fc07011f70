import { isCovered } from '@aisle/contract/identity/permissions'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getSsoProvider, saveSsoProvider } from '@aisle/contract/identity/sso'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { refuse } from '../../../kernel/refuse'
import { seal, unseal } from '../../../kernel/seal'
import * as client from './sso.client'
import { aboutClientSecret, REDIRECT_PATH } from './sso.commands'
import type { Provider } from './sso.store'
import * as ssoStore from './sso.store'

/** It decides who anybody is, in every merchant: the platform's own administrators alone set it up. */
function refuseOthers({ actor }: QueryContext): void {
  if (actor.kind !== 'platform_admin') refuse('request.notPermitted')
}

export async function show(ctx: QueryContext): Promise<OutputOf<typeof getSsoProvider>> {
  refuseOthers(ctx)
  const found = await ssoStore.find(ctx.db)
  const roles = await ssoStore.listRoles(ctx.db)
  return {
    redirectPath: REDIRECT_PATH,
    roles: roles.map(({ id, merchantId, merchantName, name }) => ({ id, name, merchantId, merchantName })),
    provider: found
      ? { ...factsOf(found), version: found.version, hasSecret: true, updatedAt: found.updatedAt.toISOString() }
      : null,
  }
}

export async function save(
  ctx: CommandContext,
  input: InputOf<typeof saveSsoProvider>,
): Promise<OutputOf<typeof saveSsoProvider>> {
  refuseOthers(ctx)
  const { clientSecret, version, ...asked } = input
  // Only what is made needs a place; a choice that does not count is not kept either.
  const wanted = asked.rule === 'match' ? { ...asked, merchantId: null, roleId: null } : asked
  const { keys } = ctx.services
  const kept = await ssoStore.lock(ctx.tx)
  refuseStale(ctx, { version: version ?? 0 }, { version: kept?.version ?? 0 }, kept ? factsOf(kept) : {}, wanted)
  // What was told for one provider is not sent to another.
  const isSame = kept?.issuer === wanted.issuer
  const secret = clientSecret ?? (isSame ? unseal(keys, aboutClientSecret, kept.clientSecret) : undefined)
  if (secret === undefined) return refuse('sso.secretMissing')
  await refuseRule(ctx, wanted)
  if (wanted.isEnabled) await refuseUnreachable(ctx, { ...wanted, clientSecret: secret })
  const sealed = seal(keys, aboutClientSecret, secret)
  const saved = await ssoStore.put(ctx.tx, { ...wanted, clientSecret: sealed, updatedAt: ctx.now() })
  await ctx.audit({
    merchantId: ctx.actor.merchantId,
    objectKind: 'ssoProvider',
    objectId: 1,
    before: kept ? factsOf(kept) : null,
    after: { ...wanted, clientSecret: clientSecret === undefined ? 'kept' : 'changed' },
  })
  return { version: saved }
}

type Wanted = Omit<InputOf<typeof saveSsoProvider>, 'clientSecret' | 'version'>

async function refuseRule(ctx: CommandContext, { merchantId, roleId, rule }: Wanted): Promise<void> {
  if (rule === 'match') return
  if (merchantId === null || roleId === null) return refuse('sso.ruleIncomplete')
  if (!(await ssoStore.isRoleFor(ctx.db, roleId, merchantId))) return refuse('sso.ruleIncomplete')
  const grants = await ssoStore.grantsOfRole(ctx.db, roleId)
  if (!isCovered(ctx.actor.grants, grants)) return refuse('account.holdsMore')
}

async function refuseUnreachable(ctx: CommandContext, reach: client.Reach): Promise<void> {
  try {
    await client.discover(reach)
  } catch (err) {
    ctx.services.log.warn({ traceId: ctx.traceId, err }, 'single sign-on provider not reached')
    refuse('sso.issuerUnreachable')
  }
}

const factsOf = (provider: Provider): Wanted => {
  const { accountClaim, clientId, isEnabled, issuer, merchantId, name, roleId, rule, scope } = provider
  return { name, issuer, clientId, scope, accountClaim, rule, merchantId, roleId, isEnabled }
}
