import { z } from 'zod'
import type { Payer } from './channel.types'

/** The fields of a transaction that name its customer, to the merchant itself or to its service provider. */
export const payerFields = {
  appid: z.string().optional(),
  sp_appid: z.string().optional(),
  payer: z.object({ openid: z.string().optional(), sp_openid: z.string().optional() }).optional(),
}
type Named = z.output<z.ZodObject<typeof payerFields>>

export function payerOf({ appid, sp_appid: spAppId, payer }: Named): { payer?: Payer } {
  const [appId, openId] = spAppId ? [spAppId, payer?.sp_openid] : [appid, payer?.openid]
  return appId && openId && /^[\w-]{1,128}$/.test(openId) ? { payer: { appId, openId } } : {}
}
