import { randomBytes } from 'node:crypto'
import { putTraceAccount } from '@aisle/contract/medicine/traceUpload'
import { tellPlatform } from '../../features/medicine/trace/traceUpload.channel'
import { uploadTraces } from '../../features/medicine/trace/traceUpload.jobs'
import type { Services } from '../../kernel/context'
import { merchants } from '../data/merchants'
import type { Past } from '../life/within'
import { standInAt } from '../money/channels'
import type { ProviderFile } from '../money/providerAccount'

/** Nobody's; what is told to it is told to the demo's stand-in. */
const ADDRESS = 'https://trace-platform.example.com/codes'

/** Each pharmacy speaks to the regulator's platform by an account of its own, which its stand-in knows. */
export async function openTraceAccounts({ as, idOf }: Past, file: ProviderFile): Promise<void> {
  const pharmacies = merchants.filter(({ type }) => type === 'pharmaceutical')
  for (const [at, { code }] of pharmacies.entries()) {
    const enterpriseNo = `E33010020${at + 1}`
    const secret = randomBytes(24).toString('base64url')
    file.enterprises[enterpriseNo] = secret
    await as('admin', putTraceAccount, { merchantId: idOf('merchant', code), enterpriseNo, address: ADDRESS, secret })
  }
}

/** The product's own job, in a demo: what is meant for the platform goes to its stand-in, which runs beside us. */
export async function tellStandIn(services: Services): Promise<void> {
  const { near, allowed } = await standInAt(services, '/traces')
  await uploadTraces(services, (account, items, at) =>
    tellPlatform({ ...account, address: account.address === ADDRESS ? near : account.address }, items, at, allowed),
  )
}
