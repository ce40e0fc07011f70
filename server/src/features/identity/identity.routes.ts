import {
  getCheckCode,
  getLoginParam,
  getUserInfo,
  getUserResource,
  onLogin,
  signOut,
} from '@aisle/contract/identity/session'
import { equalBytes } from '@aisle/contract/identity/signin'
import { SUCCESS } from '@aisle/contract/kernel/refusal'
import { announce } from '../../kernel/announce'
import { existing, refuse } from '../../kernel/refuse'
import { open, query, type Route } from '../../kernel/route'
import { hashToken } from '../../kernel/token'
import { giveLoginParam, offerCode } from './secondFactor/challenge.commands'
import { menuOfSystem } from './menu/menu.rules'
import { menuOf } from './menu/menu.store'
import * as sessionStore from './session/session.store'
import { signIn } from './signIn/signIn.commands'
import * as userStore from './account/user.store'

export const routes: Route[] = [
  open(getCheckCode, offerCode),
  open(getLoginParam, giveLoginParam),
  open(onLogin, signIn),
  query(getUserResource, async ({ actor, db, language }, { systemid, systemuserid }) => {
    if (systemuserid !== undefined && systemuserid !== String(actor.userId)) return refuse('request.notPermitted')
    const menuJsonTree = menuOfSystem(await menuOf(db, actor, language), systemid)
    return { code: SUCCESS, userInfo: { menuJsonTree: existing(menuJsonTree) }, msg: '' }
  }),
  query(getUserInfo, async ({ actor, db }, { token }) => {
    // The specification sends the session key in the query; another one than the caller's own is somebody else's.
    if (token !== undefined && !equalBytes(hashToken(token), actor.tokenHash)) return refuse('request.notPermitted')
    return {
      userid: String(actor.userId),
      accountname: actor.account,
      displayName: actor.displayName,
      kind: actor.kind,
      merchant: await userStore.merchantOf(db, actor.merchantId),
      roles: [...actor.roles],
      permissions: [...actor.grants],
      roleChoices: [...actor.roleChoices],
      activeRole: actor.activeRole,
      viewedRole: actor.viewedRole,
      language: actor.language,
      mustChangePassword: actor.limitedTo === 'password',
      mustAcceptAgreement: actor.limitedTo === 'agreement',
    }
  }),
  query(signOut, async ({ actor, db, now }) => {
    await sessionStore.end(db, actor.tokenHash, 'sign_out', now())
    await announce(db, { topic: 'session', tokenHash: actor.tokenHash.toString('hex'), code: 'S9999' })
    return {}
  }),
]
