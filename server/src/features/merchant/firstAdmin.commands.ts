import { randomBytes } from 'node:crypto'
import type { CallOf, InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { createFirstAdmin, getFirstAdminParam } from '@aisle/contract/identity/firstAdmin'
import { b64u, defaultKdf, normaliseAccount, parseVerifier, type Verifier } from '@aisle/contract/identity/signin'
import { writeAudit } from '../../kernel/audit'
import type { CallContext, Services } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { hashToken } from '../../kernel/token'
import { word } from '../../kernel/words'
import { addUser, putCredential, saltFor, setUserRoles } from '../identity/public'
import { addFirstRole } from '../rights/public'
import { addRoot } from './merchant.store'
import * as firstAdminStore from './firstAdmin.store'

const LINK_LIVES_MS = 3600_000
/** As long as app_user.account takes, after normalising. */
const LONGEST_ACCOUNT = 64

/** For the address that the first start prints; null when there are users already. */
export async function firstAdminToken({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<string | null> {
  if (await firstAdminStore.hasUsers(db)) return null
  const token = b64u(randomBytes(32))
  await firstAdminStore.insertLink(db, hashToken(token), new Date(clock.now().getTime() + LINK_LIVES_MS))
  return token
}

export async function giveFirstAdminParam(
  ctx: CallContext,
  { token, account }: CallOf<typeof getFirstAdminParam>,
): Promise<OutputOf<typeof getFirstAdminParam>> {
  const isGood = await firstAdminStore.isLinkGood(ctx.db, hashToken(token), ctx.now())
  if (!isGood || (await firstAdminStore.hasUsers(ctx.db))) return refuse('firstAdmin.linkInvalid')
  return { salt: b64u(saltFor(ctx.services.keys, normaliseAccount(account))), kdf: defaultKdf, v: 1 }
}

/** Platform, administrator and its role in one transaction, with the address that allowed it. */
export function makeFirstAdmin(
  ctx: CallContext,
  input: InputOf<typeof createFirstAdmin>,
): Promise<OutputOf<typeof createFirstAdmin>> {
  const { keys, db } = ctx.services
  const now = ctx.now()
  const account = normaliseAccount(input.account)
  const verifier = verifierFor(ctx, account, input.verifier)
  return db.transaction().execute(async (tx) => {
    const isGood = await firstAdminStore.useLink(tx, hashToken(input.token), now)
    if (!isGood || (await firstAdminStore.hasUsers(tx))) return refuse('firstAdmin.linkInvalid')
    const { displayName, language, platformName } = input
    const merchantId = await addRoot(tx, platformName)
    const roleName = word(language, 'identity', 'role.platformAdmin')
    const admin = { merchantId, account, displayName, language, roleName }
    const userId = await addUser(tx, { ...admin, name: displayName, kind: 'platform_admin' }, now)
    const role = { merchantId, name: roleName, type: 'other', grants: ['*'] } as const
    await setUserRoles(tx, userId, [await addFirstRole(tx, role)])
    await putCredential(tx, keys, { userId, verifier, mustChange: false, at: now })
    const self = { ...ctx, actor: { ...admin, ...nobodyYet, userId } }
    const after = { account, displayName, kind: 'platform_admin' }
    await writeAudit(tx, self, 'identity.createFirstAdmin', {
      merchantId,
      objectKind: 'user',
      objectId: userId,
      before: null,
      after,
    })
    return { account }
  })
}

const nobodyYet = {
  kind: 'platform_admin',
  grants: ['*'],
  roles: [],
  roleChoices: [],
  activeRole: null,
  viewedRole: null,
  isViewingAs: false,
  switchedOff: [],
  tokenHash: Buffer.alloc(0),
} as const

/** @throws Refusal for an account that is too long or a verifier under another salt than was given */
function verifierFor({ services, language }: CallContext, account: string, text: string): Verifier {
  const problem = (path: string, reason: string) =>
    refuse('request.invalid', {}, [
      { path, reason, msg: word(language, 'kernel', `field.${reason}`, { maximum: LONGEST_ACCOUNT }) },
    ])
  if (account.length > LONGEST_ACCOUNT) return problem('account', 'tooLong')
  const verifier = parseVerifier(text)
  if (verifier?.salt !== b64u(saltFor(services.keys, account))) return problem('verifier', 'invalid')
  return verifier
}
