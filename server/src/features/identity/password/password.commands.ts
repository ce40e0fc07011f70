import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { adminResetPass, changeOwnPassword, openForgotten, resetPass } from '@aisle/contract/identity/password'
import { b64u, defaultKdf, fromB64u, parseVerifier } from '@aisle/contract/identity/signin'
import { writeAudit } from '../../../kernel/audit'
import type { Actor, AuditEntry, CallContext, CommandContext } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { endAllBegun } from '../account/account.commands'
import type { Account } from '../account/account.store'
import * as accountStore from '../account/account.store'
import { saltFor } from './credential'
import * as credentialStore from './credential.store'
import { refuseGreater, refuseOwn } from '../ticket/greater'
import { isKept, policyOf, proveOwnPassword } from './ownPassword.commands'
import { checkPhoneCode } from './phoneCode.commands'

/** The own one, proven once more. The browser that asked is not told of its end: it says so itself. */
export async function changeOwn(
  ctx: CommandContext,
  { proof, verifier: text }: InputOf<typeof changeOwnPassword>,
): Promise<Record<string, never>> {
  const { account, merchantId, tokenHash, userId } = ctx.actor
  const verifier = credentialStore.verifierFor(ctx, account, text, 'verifier')
  await proveOwnPassword(ctx, proof)
  if (await isKept(ctx, account, fromB64u(verifier.storedKey))) return refuse('password.same')
  await credentialStore.put(ctx.tx, ctx.services.keys, { userId, verifier, mustChange: false, at: ctx.now() })
  await endAllBegun(ctx.tx, userId, 'password', ctx.now(), { untold: tokenHash })
  await ctx.audit(entryOf({ account, merchantId, userId }, 'own'))
  return {}
}

/** Whoever has the code has the phone, and may know which accounts it belongs to. */
export async function openByPhone(
  ctx: CallContext,
  { phone, checkCode }: InputOf<typeof openForgotten>,
): Promise<OutputOf<typeof openForgotten>> {
  const { keys, db } = ctx.services
  const isRight = await db.transaction().execute((tx) => checkPhoneCode(tx, ctx, { phone, checkCode }, false))
  const owners = isRight ? await accountStore.listByPhone(ctx.db, { kind: 'all' }, phone) : []
  if (owners.length === 0) return refuse('password.codeInvalid')
  const accounts = owners.map(({ account, displayName, merchantName }) => ({
    account,
    displayName,
    merchant: merchantName,
    salt: b64u(saltFor(keys, account)),
  }))
  return { accounts, kdf: defaultKdf, v: 1, policy: await policyOf(ctx.db) }
}

/** The verifier's salt says for which of the phone's accounts it is. */
export async function resetByPhone(
  ctx: CallContext,
  { phone, checkCode, pass }: InputOf<typeof resetPass>,
): Promise<OutputOf<typeof resetPass>> {
  if (!parseVerifier(pass)) return credentialStore.refuseVerifier(ctx, 'pass')
  const done = await ctx.services.db.transaction().execute(async (tx) => {
    const owner = ownerOf(ctx, await accountStore.listByPhone(tx, { kind: 'all' }, phone), pass)
    // Not used up by a verifier of somebody else's: that is a client's mistake, and the person may go on.
    if (!(await checkPhoneCode(tx, ctx, { phone, checkCode }, owner !== undefined)) || !owner) return null
    const verifier = credentialStore.verifierFor(ctx, owner.account, pass, 'pass')
    await credentialStore.put(tx, ctx.services.keys, {
      userId: owner.userId,
      verifier,
      mustChange: false,
      at: ctx.now(),
    })
    await endAllBegun(tx, owner.userId, 'password', ctx.now())
    await writeAudit(tx, { ...ctx, actor: asActor(owner) }, 'identity.resetPass', entryOf(owner, 'phone'))
    return owner.account
  })
  return done === null ? refuse('password.codeInvalid') : { account: done }
}

/** In the administrator's sight, with no more rights than the administrator has, and to be changed by its owner. */
export async function resetByAdmin(
  ctx: CommandContext,
  { phone, pass }: InputOf<typeof adminResetPass>,
): Promise<OutputOf<typeof adminResetPass>> {
  if (!parseVerifier(pass)) return credentialStore.refuseVerifier(ctx, 'pass')
  const owner = existing(ownerOf(ctx, await accountStore.listByPhone(ctx.db, sightOf(ctx.actor), phone), pass))
  refuseOwn(ctx.actor, owner.userId)
  await refuseGreater(ctx, owner.userId)
  const verifier = credentialStore.verifierFor(ctx, owner.account, pass, 'pass')
  await credentialStore.put(ctx.tx, ctx.services.keys, {
    userId: owner.userId,
    verifier,
    mustChange: true,
    at: ctx.now(),
  })
  await endAllBegun(ctx.tx, owner.userId, 'administrator', ctx.now())
  await ctx.audit(entryOf(owner, 'administrator'))
  return { account: owner.account }
}

function ownerOf({ services }: CallContext, owners: readonly Account[], pass: string): Account | undefined {
  const salt = parseVerifier(pass)?.salt
  return owners.find(({ account }) => b64u(saltFor(services.keys, account)) === salt)
}

const entryOf = (
  { account, merchantId, userId }: Pick<Account, 'account' | 'merchantId' | 'userId'>,
  by: 'own' | 'phone' | 'administrator',
): AuditEntry => ({
  merchantId,
  objectKind: 'user',
  objectId: userId,
  before: null,
  after: { account, password: 'changed', by },
})

/** Somebody who proved to be the account's owner, but has no session. */
export const asActor = ({ account, displayName, kind, language, merchantId, userId }: Account): Actor => ({
  userId,
  account,
  displayName,
  kind,
  merchantId,
  language,
  grants: [],
  roles: [],
  roleChoices: [],
  activeRole: null,
  viewedRole: null,
  isViewingAs: false,
  switchedOff: [],
  tokenHash: Buffer.alloc(0),
})
