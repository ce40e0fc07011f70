import { sql } from 'kysely'
import { publicAddress } from '@aisle/contract/system/settings'
import type { Services } from '../../../kernel/context'
import { atSite, settingOf } from '../../../kernel/settings'
import { openAccount, openProvider, openProviderByToken, type ProviderParameters } from '../account/account.store'
import { alipayChannel } from './alipay.channel'
import type { Channel } from './channel.types'
import { unionPayChannel } from './unionpay.channel'
import { wechatChannel } from './wechat.channel'
import { type Wire, openWire } from './wire'

/**
 * Opens the keys of an account and of its provider. A merchant's number at a provider stays the same for its attempts,
 * whatever became of the account since. Not inside a transaction. @throws Error when there is no such account
 */
export async function channelOf(services: Services, accountId: number): Promise<Channel> {
  const parameters = await openAccount(services.db, services.keys, accountId)
  const found = await sql<{ merchantId: number; subMerchantNo: string }>`
    select merchant_id as "merchantId", sub_merchant_no as "subMerchantNo" from payment_account
    where id = ${accountId}`.execute(services.db)
  const [account] = found.rows
  if (!parameters || !account) throw new Error(`there is no payment account ${accountId}`)
  return open(services, parameters, account)
}

/** Of a provider's parameters by themselves: to try its keys, to read what it notifies, to fetch its bill. */
export async function channelOfProvider(services: Services, providerAccountId: number): Promise<Channel> {
  const parameters = await openProvider(services.db, services.keys, providerAccountId)
  if (!parameters) throw new Error(`there is no provider account ${providerAccountId}`)
  return open(services, parameters, { merchantId: null, subMerchantNo: '' })
}

/** What the address of a notification names; null for an address that was never given out. */
export async function channelOfToken(
  services: Services,
  provider: ProviderParameters['provider'],
  token: string,
): Promise<{ channel: Channel; providerAccountId: number } | null> {
  const parameters = await openProviderByToken(services.db, services.keys, provider, token)
  if (!parameters) return null
  const channel = await open(services, parameters, { merchantId: null, subMerchantNo: '' })
  return { channel, providerAccountId: parameters.id }
}

type Account = { merchantId: number | null; subMerchantNo: string }

async function open(services: Services, parameters: ProviderParameters, account: Account): Promise<Channel> {
  const address = await settingOf(services.db, publicAddress, null)
  const notifyUrl = notifyAddress(address, parameters) ?? ''
  const wire = openWire({ services, providerAccountId: parameters.id, merchantId: account.merchantId })
  return build(wire, parameters, { subMerchantNo: account.subMerchantNo, notifyUrl }, services)
}

/** Where a provider tells us of payments; it takes no query, so the account is named in the path. */
export const notifyAddress = (
  address: string | null,
  { provider, token }: Pick<ProviderParameters, 'provider' | 'token'>,
): string | null => atSite(address, `/api/pay/notify/${provider}/${token}`)

function build(
  wire: Wire,
  parameters: ProviderParameters,
  { subMerchantNo, notifyUrl }: { subMerchantNo: string; notifyUrl: string },
  services: Services,
): Channel {
  const { provider, appId, providerNo, certificateSerial, privateKey, apiKey, providerKey, providerSerial } = parameters
  const gateway = (parameters.gateway || gateways[provider]).replace(/\/+$/, '')
  if (provider === 'wechat') {
    const numbers = { appId, mchId: providerNo, subMchId: subMerchantNo, serial: certificateSerial }
    const keys = { privateKey, apiKey, platformSerial: providerSerial, platformKey: providerKey }
    return wechatChannel(wire, { gateway, ...numbers, ...keys, notifyUrl }, services)
  }
  if (provider === 'alipay') {
    const sellerId = subMerchantNo || providerNo
    return alipayChannel(wire, { gateway, appId, sellerId, privateKey, alipayKey: providerKey, notifyUrl }, services)
  }
  const fileGateway = parameters.gateway ? gateway : UNIONPAY_FILES
  const merId = subMerchantNo || providerNo
  const keys = { certId: certificateSerial, privateKey, unionPayKey: providerKey }
  return unionPayChannel(wire, { gateway, fileGateway, merId, ...keys, notifyUrl }, services)
}

/** Where each lives when nothing else was set up. */
export const gateways = {
  wechat: 'https://api.mch.weixin.qq.com',
  alipay: 'https://openapi.alipay.com/gateway.do',
  unionpay: 'https://gateway.95516.com',
} as const
const UNIONPAY_FILES = 'https://filedownload.95516.com'
