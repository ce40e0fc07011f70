import { randomBytes } from 'node:crypto'
import { addDisplayKey, listDisplayKeys, revokeDisplayKey } from '@aisle/contract/wallboard/displayKey'
import { announce } from '../../kernel/announce'
import { existing, refuse } from '../../kernel/refuse'
import { command, listOf, type Route } from '../../kernel/route'
import { refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import { hashToken } from '../../kernel/token'
import * as store from './key.store'

export const routes: Route[] = [
  ...listOf(listDisplayKeys, (ctx, input) => store.listDisplayKeysIn(sightOf(ctx.actor), input, ctx.now())),
  command(
    addDisplayKey,
    async (ctx, { merchantId, name, hidesNames }) => {
      const sight = sightOf(ctx.actor)
      await refuseUnseenMerchant(ctx.tx, sight, merchantId)
      if (sight.kind === 'granted') refuse('displayKey.partSight')
      const key = randomBytes(24).toString('base64url')
      const made = { hash: hashToken(key), merchantId, name, hidesNames, userId: ctx.actor.userId, at: ctx.now() }
      const id = await store.insert(ctx.tx, made)
      await ctx.audit({ merchantId, objectKind: 'displayKey', objectId: id, before: null, after: { name, hidesNames } })
      return { id, key }
    },
    'nothing',
  ),
  command(revokeDisplayKey, async (ctx, { id }) => {
    const found = existing(await store.lock(ctx.tx, sightOf(ctx.actor), id))
    if (found.isRevoked) refuse('displayKey.revoked', { name: found.name })
    await store.revoke(ctx.tx, id, ctx.actor.userId, ctx.now())
    const { merchantId, name } = found
    const said = { before: { name, state: 'valid' }, after: { name, state: 'revoked' } }
    await ctx.audit({ merchantId, objectKind: 'displayKey', objectId: id, ...said })
    // Boards are looked at again, and those of this key closed.
    await announce(ctx.tx, { topic: 'boards', reason: 'asked' })
    return {}
  }),
]
